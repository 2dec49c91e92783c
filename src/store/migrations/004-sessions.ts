/** What each session counted for, and what the sessions of a loop at work may still spend: both follow from the journal. */
export const sql = `
CREATE TABLE sessions (
  loop_id TEXT NOT NULL REFERENCES loops(id),
  seq INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  at TEXT NOT NULL,
  agent TEXT NOT NULL,
  role TEXT NOT NULL,
  usd REAL NOT NULL,
  estimated INTEGER NOT NULL,
  PRIMARY KEY (loop_id, seq, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_time ON sessions (at);

CREATE TABLE reservations (
  loop_id TEXT PRIMARY KEY REFERENCES loops(id),
  usd REAL NOT NULL
) STRICT, WITHOUT ROWID;
`;
