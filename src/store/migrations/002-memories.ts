/** What was refuted, by the code that it cites. */
export const sql = `
CREATE TABLE memories (
  finding_id TEXT PRIMARY KEY,
  loop_id TEXT NOT NULL REFERENCES loops(id),
  code_hash TEXT NOT NULL,
  file TEXT,
  line INTEGER,
  severity TEXT NOT NULL,
  category TEXT NOT NULL,
  tag TEXT,
  description TEXT NOT NULL,
  ruled_by TEXT NOT NULL,
  person INTEGER NOT NULL,
  note TEXT NOT NULL,
  ruled_at TEXT NOT NULL
) STRICT;
CREATE INDEX memories_by_code ON memories (code_hash);
`;
