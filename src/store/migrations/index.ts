import { sql as journal } from './001-journal.ts';
import { sql as memories } from './002-memories.ts';

/** Every step of the schema, in order; a database at version n has had the first n. */
export const MIGRATIONS: readonly string[] = [journal, memories];
