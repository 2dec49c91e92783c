/** Comments that their writers have not submitted yet; they are no part of any journal. */
export const sql = `
CREATE TABLE drafts (
  id TEXT PRIMARY KEY,
  loop_id TEXT NOT NULL REFERENCES loops(id),
  text TEXT NOT NULL,
  file TEXT,
  line INTEGER,
  line_end INTEGER,
  side TEXT NOT NULL,
  head TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX drafts_by_loop ON drafts (loop_id);
`;
