import { sql as journal } from './001-journal.ts';
import { sql as memories } from './002-memories.ts';
import { sql as overview } from './003-overview.ts';
import { sql as sessions } from './004-sessions.ts';
import { sql as positions } from './005-positions.ts';
import { sql as board } from './006-board.ts';
import { sql as drafts } from './007-drafts.ts';
import { sql as analytics } from './008-analytics.ts';
import { sql as waits } from './009-waits.ts';
import { sql as cards } from './010-cards.ts';

/** Every step of the schema, in order; a database at version n has had the first n. */
export const MIGRATIONS: readonly string[] = [journal, memories, overview, sessions, positions, board, drafts, analytics, waits, cards];
