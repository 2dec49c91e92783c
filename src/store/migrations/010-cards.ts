/**
 * What a board shows of a loop beside its row, as JSON. Not a column of the row, because `status` reads all rows and would get slower by
 * what it does not show. A loop that nothing happened to since has none, and gets one when it is asked for.
 */
export const sql = `
CREATE TABLE cards (
  loop_id TEXT PRIMARY KEY REFERENCES loops(id),
  body TEXT NOT NULL
) STRICT;
`;
