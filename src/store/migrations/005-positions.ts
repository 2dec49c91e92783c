/**
 * Every entry gets a position over the whole project. It is the key of its row, so it costs an append nothing, and unlike a bare
 * rowid it outlives a VACUUM. Entries are never deleted, so no position is given twice. Those that are there already are placed by
 * their time; a clock that was set back must not bring the entries of one loop out of their order.
 */
export const sql = `
CREATE TABLE placed_events (
  position INTEGER PRIMARY KEY,
  loop_id TEXT NOT NULL REFERENCES loops(id),
  seq INTEGER NOT NULL,
  at TEXT NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (loop_id, seq)
) STRICT;
INSERT INTO placed_events (loop_id, seq, at, type, body)
  SELECT loop_id, seq, at, type, body FROM events
  ORDER BY max(at) OVER (PARTITION BY loop_id ORDER BY seq), loop_id, seq;
DROP TABLE events;
ALTER TABLE placed_events RENAME TO events;
`;
