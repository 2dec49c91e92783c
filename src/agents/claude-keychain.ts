import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../core/readers/coerce.ts';
import { ulid } from '../lib/ids.ts';
import { runProcess } from '../lib/process.ts';

const ANSWER_MS = 10_000;

const Status = z.object({ loggedIn: z.boolean(), authMethod: z.string(), subscriptionType: z.string().nullish() });

/**
 * Asks Claude Code itself for the plan of the login that belongs to a home; null where there is none. It is for macOS, where the
 * tokens of a login lie in the keychain, which nobody but that program has to open.
 */
export async function askPlan(argv: readonly string[], home: string): Promise<{ readonly plan: string | null } | null> {
  // Its settings are looked for in an empty folder: those in the home could be left by a session.
  const empty = await mkdtemp(join(tmpdir(), 'volley-look-'));
  try {
    const { PATH = '', HOME = empty, USER = '' } = process.env;
    const end = await runProcess({
      argv: [...argv, '--setting-sources', '', 'auth', 'status'],
      cwd: empty,
      // The keychain is found by the user's name and home.
      env: { PATH, HOME, USER, TMPDIR: empty, CLAUDE_CONFIG_DIR: empty, CLAUDE_SECURESTORAGE_CONFIG_DIR: home, DISABLE_AUTOUPDATER: '1' },
      wallMs: ANSWER_MS,
      graceMs: 500,
      outputLimitBytes: 1024 * 1024,
      marker: `look-${ulid(Date.now())}`,
    });
    const status = end.kind === 'exited' ? statusIn(end.output) : null;
    return status?.loggedIn === true && status.authMethod === 'claude.ai' ? { plan: status.subscriptionType ?? null } : null;
  } finally {
    await rm(empty, { recursive: true, force: true, maxRetries: 3 });
  }
}

function statusIn(output: string): z.infer<typeof Status> | null {
  const read = parseJson(output);
  return read.ok ? (Status.safeParse(read.value).data ?? null) : null;
}
