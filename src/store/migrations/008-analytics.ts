/**
 * What analytics count, in rows that can be counted without reading a journal. What was written before comes from the journal,
 * as far as one statement can tell: of a panel's old findings each of its members counts as having raised them.
 */
export const sql = `
ALTER TABLE sessions ADD COLUMN day TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN model TEXT;
ALTER TABLE sessions ADD COLUMN outcome TEXT;
ALTER TABLE sessions ADD COLUMN duration_ms REAL;
ALTER TABLE sessions ADD COLUMN input_tokens REAL;
ALTER TABLE sessions ADD COLUMN output_tokens REAL;
ALTER TABLE sessions ADD COLUMN subscription_usd REAL NOT NULL DEFAULT 0;
UPDATE sessions SET day = substr(at, 1, 10);
UPDATE sessions SET
  model = json_extract(entry.body, '$.session.model'),
  outcome = CASE WHEN entry.type <> 'reviewed' THEN NULL
    WHEN json_extract(entry.body, '$.outcome.kind') = 'review' THEN 'verdict' ELSE 'no-verdict' END,
  duration_ms = max(0, round((julianday(json_extract(entry.body, '$.session.endedAt'))
    - julianday(json_extract(entry.body, '$.session.startedAt'))) * 86400000)),
  input_tokens = json_extract(entry.body, '$.session.usage.inputTokens'),
  output_tokens = json_extract(entry.body, '$.session.usage.outputTokens'),
  subscription_usd = CASE WHEN json_extract(entry.body, '$.session.billing') = 'subscription'
    THEN coalesce(json_extract(entry.body, '$.session.usage.costUsd'), 0) ELSE 0 END
FROM events AS entry
WHERE entry.loop_id = sessions.loop_id AND entry.seq = sessions.seq AND json_type(entry.body, '$.session') = 'object';

ALTER TABLE loop_reviews ADD COLUMN stands INTEGER NOT NULL DEFAULT 1;
UPDATE loop_reviews SET stands = round <= (SELECT rounds FROM loops WHERE loops.id = loop_reviews.loop_id);
ALTER TABLE review_issues ADD COLUMN raised_at TEXT;
ALTER TABLE review_issues ADD COLUMN raised_by TEXT;
ALTER TABLE review_issues ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
UPDATE review_issues SET
  raised_at = review.reviewed_at,
  raised_by = review.agent,
  counted = review.stands AND NOT EXISTS (
    SELECT 1 FROM review_issues AS other JOIN loop_reviews AS earlier ON earlier.id = other.loop_review_id
    WHERE other.loop_id = review_issues.loop_id AND other.finding_id = review_issues.finding_id AND earlier.round < review.round AND earlier.stands)
FROM loop_reviews AS review
WHERE review.id = review_issues.loop_review_id;

CREATE INDEX review_issues_counted ON review_issues (raised_at, category, severity, source, status, raised_by) WHERE counted = 1;
CREATE INDEX loop_reviews_counted ON loop_reviews (reviewed_at, passed) WHERE round = 1 AND kind = 'round' AND stands = 1;
CREATE INDEX events_counted ON events (type, json_extract(body, '$.reason'), at)
  WHERE type IN ('escalated', 'checkout-lost', 'dependency-lost');
CREATE INDEX sessions_counted ON sessions
  (day, agent, role, model, estimated, outcome, usd, subscription_usd, input_tokens, output_tokens, duration_ms);
`;
