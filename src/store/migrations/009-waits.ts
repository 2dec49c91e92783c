/**
 * What whoever looks for work asks at each look, so that loops that wait are not read for it: which of them goes on at a time, and
 * which wait for which other ones. A loop has rows in `dependencies` only while it waits for them.
 */
export const sql = `
CREATE TABLE dependencies (
  needs INTEGER NOT NULL,
  loop_id TEXT NOT NULL REFERENCES loops(id),
  PRIMARY KEY (needs, loop_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX dependencies_by_loop ON dependencies (loop_id);
INSERT OR IGNORE INTO dependencies (needs, loop_id)
  SELECT needed.value, loops.id FROM loops, json_each(coalesce(
    (SELECT json_extract(body, '$.edit.dependsOn') FROM events
      WHERE loop_id = loops.id AND type = 'edited' AND json_type(body, '$.edit.dependsOn') = 'array' ORDER BY seq DESC LIMIT 1),
    (SELECT json_extract(body, '$.task.dependsOn') FROM events WHERE loop_id = loops.id AND seq = 1),
    '[]')) AS needed
  WHERE loops.waiting = 'dependency';

CREATE INDEX loops_by_wait ON loops (waiting_until, number) WHERE waiting_until IS NOT NULL;
`;
