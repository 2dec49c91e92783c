import { sql as journal } from './001-journal.ts';
import { sql as memories } from './002-memories.ts';
import { sql as overview } from './003-overview.ts';
import { sql as sessions } from './004-sessions.ts';

/** Every step of the schema, in order; a database at version n has had the first n. */
export const MIGRATIONS: readonly string[] = [journal, memories, overview, sessions];
