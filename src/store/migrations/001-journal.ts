/** The first tables: runs, loops, their journal, the jobs, and seed 001's tables of reviews. */
export const sql = `
CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  number INTEGER UNIQUE,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE loops (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  run_id TEXT NOT NULL REFERENCES runs(id),
  seq INTEGER NOT NULL,
  title TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  waiting TEXT,
  final_verdict TEXT,
  approved_by TEXT,
  approver TEXT,
  rounds INTEGER NOT NULL,
  max_rounds INTEGER NOT NULL,
  spend_usd REAL NOT NULL,
  spend_estimated INTEGER NOT NULL,
  ceiling_usd REAL,
  escalation TEXT,
  branch TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX loops_by_run ON loops (run_id);

CREATE TABLE events (
  loop_id TEXT NOT NULL REFERENCES loops(id),
  seq INTEGER NOT NULL,
  at TEXT NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (loop_id, seq)
) STRICT;

CREATE TABLE jobs (
  loop_id TEXT PRIMARY KEY REFERENCES loops(id),
  wanted INTEGER NOT NULL,
  owner_pid INTEGER,
  owner_started_at TEXT,
  owner_host TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE loop_reviews (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  loop_id TEXT NOT NULL,
  task_id TEXT,
  passed INTEGER NOT NULL,
  interpreted_intent TEXT,
  intent_satisfied INTEGER,
  reviewed_at TEXT NOT NULL,
  cost_usd REAL DEFAULT 0,
  kind TEXT NOT NULL DEFAULT 'round',
  round INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  why TEXT NOT NULL,
  agent TEXT NOT NULL,
  channel TEXT NOT NULL,
  confinement TEXT NOT NULL,
  head TEXT NOT NULL,
  summary TEXT,
  FOREIGN KEY (run_id) REFERENCES runs(id),
  FOREIGN KEY (loop_id) REFERENCES loops(id)
) STRICT;
CREATE INDEX loop_reviews_by_loop ON loop_reviews (loop_id, round);

CREATE TABLE review_issues (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs(id),
  loop_id TEXT REFERENCES loops(id),
  loop_review_id TEXT REFERENCES loop_reviews(id),
  type TEXT,
  file TEXT,
  line INTEGER,
  description TEXT NOT NULL,
  suggestion TEXT,
  finding_id TEXT NOT NULL,
  severity TEXT NOT NULL,
  category TEXT NOT NULL,
  source TEXT NOT NULL,
  provenance TEXT NOT NULL,
  blocking INTEGER NOT NULL,
  status TEXT NOT NULL
) STRICT;
CREATE INDEX review_issues_by_review ON review_issues (loop_review_id);
CREATE INDEX review_issues_by_loop ON review_issues (loop_id, status);
`;
