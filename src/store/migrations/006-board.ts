/** What a board of very many loops is filtered and counted by. Rows that nobody changes any more get theirs from what they hold. */
export const sql = `
ALTER TABLE loops ADD COLUMN needs_you INTEGER NOT NULL DEFAULT 0;
ALTER TABLE loops ADD COLUMN choices TEXT NOT NULL DEFAULT '';
ALTER TABLE loops ADD COLUMN trend TEXT;
ALTER TABLE loops ADD COLUMN words TEXT NOT NULL DEFAULT '';

UPDATE loops SET words = lower(title), needs_you = CASE
  WHEN state IN ('needs_human', 'blocked', 'failed') THEN 1
  WHEN id IN (SELECT loop_id FROM jobs WHERE wanted = 1) THEN 0
  WHEN waiting = 'login' THEN state NOT IN ('approved', 'merged', 'cancelled', 'failed', 'self_review_failed', 'ready_for_human_review')
  WHEN state = 'pending_self_review' THEN waiting IS NULL
  WHEN state = 'ready_for_human_review' THEN 1
  WHEN state = 'self_review_failed' THEN kind = 'implement'
  ELSE 0 END;

-- All that loops are filtered by, so that no row has to be read to count them.
CREATE INDEX loops_by_state ON loops (state, kind, needs_you, waiting, approved_by, group_name, words, updated_at);
CREATE INDEX loops_by_update ON loops (updated_at, number);
CREATE INDEX loops_by_group ON loops (group_name) WHERE group_name IS NOT NULL;
CREATE INDEX loops_that_need_you ON loops (needs_you, state) WHERE needs_you = 1;
`;
