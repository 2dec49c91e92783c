import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { link, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../lib/lock.ts';
import type { AgentEvent } from './agent.ts';
import { guardLogin, renewHome, withFreshLogin } from './config-home.ts';
import type { GuardedLogin, HomePlan, StoredLogin } from './config-home.ts';

let root = '';
let dir = '';
let count = 0;

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'volley-homes-'));
});
after(async () => await rm(root, { recursive: true, force: true }));
beforeEach(() => {
  dir = join(root, `home-${count++}`, 'agent');
});

function plan(change: Partial<HomePlan> = {}): HomePlan {
  return { dir, files: { 'config.toml': 'a = 1\n' }, clear: ['hooks', 'history.jsonl'], ...change };
}

async function put(path: string, text = 'left behind'): Promise<void> {
  await mkdir(join(dir, path, '..'), { recursive: true });
  await writeFile(join(dir, path), text);
}

test('what a session left to the next one is gone, settings are as they must be, and the login stays', async () => {
  await put('hooks/deep/er/evil.sh');
  await put('history.jsonl');
  await put('config.toml', 'evil = true');
  await put('auth.json', 'the login');
  await renewHome(plan());
  assert.deepEqual((await readdir(dir)).toSorted(), ['auth.json', 'config.toml']);
  assert.equal(await readFile(join(dir, 'config.toml'), 'utf8'), 'a = 1\n');
  assert.equal(await readFile(join(dir, 'auth.json'), 'utf8'), 'the login');
  assert.equal((await stat(dir)).mode & 0o777, 0o700);
});

test('a home that is as it should be is left alone, since it may be in use', async () => {
  await renewHome(plan());
  const inode = async (): Promise<number> => (await stat(join(dir, 'config.toml'))).ino;
  const first = await inode();
  await renewHome(plan());
  assert.equal(await inode(), first);
});

test('links are replaced, never followed', async () => {
  const outside = join(root, 'outside');
  await mkdir(outside, { recursive: true });
  await writeFile(join(outside, 'precious'), 'precious');
  await mkdir(dir, { recursive: true });
  await symlink(join(outside, 'precious'), join(dir, 'config.toml'));
  await symlink(outside, join(dir, 'hooks'));
  await renewHome(plan());
  assert.equal(await readFile(join(outside, 'precious'), 'utf8'), 'precious');
  assert.equal((await lstat(join(dir, 'config.toml'))).isSymbolicLink(), false);
});

test('whatever stands in the place of a file gives way', async () => {
  await put('config.toml/inside');
  await renewHome(plan());
  assert.ok((await lstat(join(dir, 'config.toml'))).isFile());
  await rm(join(dir, 'config.toml'));
  execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', join(dir, 'config.toml')]);
  await renewHome(plan());
  assert.ok((await lstat(join(dir, 'config.toml'))).isFile());
});

test('a settings file that has a second name is written anew', async () => {
  await renewHome(plan());
  await link(join(dir, 'config.toml'), join(root, `second-${count}`));
  await renewHome(plan());
  assert.equal((await stat(join(dir, 'config.toml'))).nlink, 1);
});

test('a home that is a link is refused', async () => {
  await mkdir(join(dir, '..'), { recursive: true });
  await mkdir(join(root, 'elsewhere'), { recursive: true });
  await symlink(join(root, 'elsewhere'), dir);
  await assert.rejects(renewHome(plan()), { code: 'bad-config' });
});

test('many at once do not disturb each other', async () => {
  await Promise.all(Array.from({ length: 10 }, async () => await renewHome(plan())));
  assert.deepEqual(await readdir(dir), ['config.toml']);
});

const TEXT: AgentEvent = { type: 'text', stream: 'stdout', text: 'hello' };
const END: AgentEvent = { type: 'ended', exitCode: 0, output: '', result: null };

function login(): StoredLogin {
  return { dir, file: 'auth.json', isStale: (text) => text === 'stale' };
}

type Started = { readonly log: string[]; readonly name: string };

/** A session that refreshes a stale login if it finds one, as an agent's own program does. */
async function* refreshing({ log, name }: Started): AsyncGenerator<AgentEvent, void, undefined> {
  yield { type: 'started', pid: null };
  const seen = await readFile(join(dir, 'auth.json'), 'utf8');
  if (seen === 'stale') {
    log.push(`${name} refreshes`);
    await sleep(50);
    await writeFile(join(dir, 'auth.json'), 'fresh');
  }
  yield TEXT;
  yield END;
}

async function drain(events: AsyncIterable<AgentEvent>): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const event of events) types.push(event.type);
  return types;
}

test('while the login is stale only one session refreshes it', async () => {
  await put('auth.json', 'stale');
  const log: string[] = [];
  const { signal } = new AbortController();
  const sessions = ['a', 'b', 'c', 'd'].map(async (name) => await drain(withFreshLogin(login(), () => refreshing({ log, name }), signal)));
  for (const types of await Promise.all(sessions)) assert.deepEqual(types, ['started', 'text', 'ended']);
  assert.equal(log.length, 1);
});

test('sessions with a fresh login wait for nobody', async () => {
  await put('auth.json', 'fresh');
  const lock = await takeLock(`${dir}.login.lock`);
  const types = await drain(withFreshLogin(login(), () => refreshing({ log: [], name: 'a' }), new AbortController().signal));
  assert.deepEqual(types, ['started', 'text', 'ended']);
  await lock.release();
});

/** A session that leaves the stale login as it is, and works on until it is told to end. */
async function* working(first: AgentEvent, over: Promise<void>): AsyncGenerator<AgentEvent, void, undefined> {
  yield first;
  await over;
  yield END;
}

test('a session lets the next one go once its model has answered, or its login has changed', async () => {
  for (const how of ['answered', 'changed'] as const) {
    await put('auth.json', 'stale');
    const { signal } = new AbortController();
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const first: AgentEvent = how === 'answered' ? TEXT : { type: 'started', pid: null };
    const stale = { ...login(), isStale: () => true };
    const one = withFreshLogin(stale, () => working(first, over), signal);
    await one.next();
    const rest = drain(one);
    const other = drain(withFreshLogin(stale, () => refreshing({ log: [], name: 'b' }), signal));
    if (how === 'changed') await put('auth.json', 'changed');
    assert.deepEqual(await other, ['started', 'text', 'ended']);
    end();
    assert.deepEqual(await rest, ['ended']);
    assert.ok(!existsSync(`${dir}.login.lock`));
  }
});

test('a session that goes away lets the next one go', async () => {
  await put('auth.json', 'stale');
  const { signal } = new AbortController();
  for await (const event of withFreshLogin(login(), () => refreshing({ log: [], name: 'a' }), signal)) {
    if (event.type === 'started') break;
  }
  assert.ok(!existsSync(`${dir}.login.lock`));
});

test('a session that is cancelled while it waits is started as what it is, cancelled', async () => {
  await put('auth.json', 'stale');
  const lock = await takeLock(`${dir}.login.lock`);
  const controller = new AbortController();
  const waiting = drain(withFreshLogin(login(), () => refreshing({ log: [], name: 'a' }), controller.signal));
  controller.abort();
  assert.deepEqual(await waiting, ['started', 'text', 'ended']);
  await lock.release();
});

/** A login that a later one of the same account may follow: `me-2` comes after `me-1`. */
function guarded(): GuardedLogin {
  const parts = (text: string): readonly string[] => /^(\w+)-(\d+)$/.exec(text)?.slice(1) ?? [];
  const mayFollow = (old: string, fresh: string): boolean =>
    parts(old)[0] === parts(fresh)[0] && Number(parts(fresh)[1]) > Number(parts(old)[1]);
  return { dir, file: 'auth.json', mayFollow };
}

/** What is left of a login by a session that writes the one before its model answers, and does the other as a command would. */
async function leftBy(refreshed: string | null, command: () => Promise<void>): Promise<string> {
  await put('auth.json', 'me-1');
  const session = async function* (): AsyncGenerator<AgentEvent> {
    yield { type: 'started', pid: null };
    if (refreshed !== null) await put('auth.json', refreshed);
    yield TEXT;
    await command();
    yield END;
  };
  assert.deepEqual(await drain(guardLogin(guarded(), session)), ['started', 'text', 'ended']);
  assert.ok((await lstat(join(dir, 'auth.json'))).isFile());
  return await readFile(join(dir, 'auth.json'), 'utf8');
}

test('a login that its own program renewed stays', async () => {
  assert.equal(await leftBy(null, async () => await Promise.resolve()), 'me-1');
  assert.equal(await leftBy('me-2', async () => await Promise.resolve()), 'me-2');
  assert.equal(await leftBy('me-2', async () => await put('auth.json', 'me-3')), 'me-3');
});

test('what a command makes of a login does not outlive its session', async () => {
  const path = (): string => join(dir, 'auth.json');
  const linked = async (): Promise<void> => {
    await put('other.json', 'me-9');
    await rm(path());
    await symlink(join(dir, 'other.json'), path());
  };
  const folder = async (): Promise<void> => {
    await rm(path());
    await put('auth.json/inside');
  };
  const commands = [
    async () => await put('auth.json', 'evil-9'),
    async () => await put('auth.json', 'nonsense'),
    async () => await put('auth.json', ''),
    async () => await rm(path()),
    async () => await rm(dir, { recursive: true }),
    linked,
    folder,
  ];
  for (const command of commands) {
    assert.equal(await leftBy(null, command), 'me-1');
    assert.equal(await leftBy('me-2', command), 'me-2');
  }
  assert.equal(await leftBy('me-2', async () => await put('auth.json', 'me-1')), 'me-2');
});

test('a login is put back also if the session goes away or breaks', async () => {
  await put('auth.json', 'me-1');
  const session = async function* (): AsyncGenerator<AgentEvent> {
    await put('auth.json', 'evil-9');
    yield TEXT;
    throw new Error('broken');
  };
  for await (const _ of guardLogin(guarded(), session)) break;
  assert.equal(await readFile(join(dir, 'auth.json'), 'utf8'), 'me-1');
  await assert.rejects(drain(guardLogin(guarded(), session)), { message: 'broken' });
  assert.equal(await readFile(join(dir, 'auth.json'), 'utf8'), 'me-1');
});

test('where nobody was logged in, nothing is put back', async () => {
  await mkdir(dir, { recursive: true });
  await drain(guardLogin(guarded(), () => working(TEXT, Promise.resolve())));
  assert.ok(!existsSync(join(dir, 'auth.json')));
});
