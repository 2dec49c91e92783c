/** What the overview tells of a loop without folding its journal. */
export const sql = `
ALTER TABLE loops ADD COLUMN why TEXT;
ALTER TABLE loops ADD COLUMN next TEXT;
ALTER TABLE loops ADD COLUMN waiting_until TEXT;
ALTER TABLE loops ADD COLUMN phase TEXT;
ALTER TABLE loops ADD COLUMN agent TEXT;
ALTER TABLE loops ADD COLUMN phase_started_at TEXT;
ALTER TABLE loops ADD COLUMN blocking INTEGER NOT NULL DEFAULT 0;
ALTER TABLE loops ADD COLUMN landed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE loops ADD COLUMN group_name TEXT;
`;
