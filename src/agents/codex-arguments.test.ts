import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentInput } from './agent.ts';
import { codexArguments } from './codex-arguments.ts';
import type { CodexStart } from './codex-arguments.ts';
import { fakeInput } from './fake.ts';

const NOBODY = { key: null, keyName: null, baseUrl: null };

function args(input: Partial<AgentInput> = {}, start: Partial<CodexStart> = {}): readonly string[] {
  const plain = { model: null, access: NOBODY, workFolders: ['/checkout'], skills: [], schemaFile: null, ownFolder: '/session/codex' };
  return codexArguments(fakeInput({ cwd: '/checkout', env: { HOME: '/home' }, ...input }), { ...plain, ...start });
}

/** The value that a setting is given; undefined where nobody sets it. */
function setting(list: readonly string[], key: string): string | undefined {
  const found = list.filter((arg, index) => list[index - 1] === '-c' && arg.startsWith(`${key}=`));
  assert.ok(found.length < 2, `${key} is set twice`);
  return found[0]?.slice(key.length + 1);
}

function optionOf(list: readonly string[], name: string): string | undefined {
  return list[list.indexOf(name) + 1];
}

test('whoever works and is held by the operating system needs no other sandbox', () => {
  for (const role of ['author', 'fixer'] as const) {
    assert.equal(optionOf(args({ role, held: true }), '-s'), 'danger-full-access');
    assert.equal(setting(args({ role, held: true }), 'default_permissions'), undefined);
  }
});

test('whoever looks keeps commands apart in a sandbox of its own, in which they write all but what it obeys', () => {
  for (const role of ['reviewer', 'arbiter'] as const) {
    const list = args({ role, held: true, scratch: '/scratch', env: { HOME: '/home', TMPDIR: '/tmp' } });
    assert.ok(!list.includes('-s'), 'a mode would outrank the permissions');
    assert.equal(setting(list, 'default_permissions'), '"volley"');
    const written = ['/scratch', '/scratch/.git', '/home', '/tmp', '/var/tmp'].map((path) => `"${path}"="write"`).join();
    const filesystem = `{":root"="read",${written},"/session/codex"="read"}`;
    assert.equal(setting(list, 'permissions.volley'), `{"filesystem"=${filesystem},"network"={"enabled"=true}}`);
    assert.equal(setting(list, 'shell_environment_policy.set'), '{"HOME"="/home","TMPDIR"="/tmp"}');
  }
});

test('whom nobody holds is held by Codex, according to the role', () => {
  const modes = (['author', 'reviewer', 'fixer', 'arbiter'] as const).map((role) => optionOf(args({ role, held: false }), '-s'));
  assert.deepEqual(modes, ['workspace-write', 'read-only', 'workspace-write', 'read-only']);
  assert.equal(setting(args({ role: 'fixer' }), 'sandbox_workspace_write.exclude_slash_tmp'), 'true');
});

test('those who look do not search the web', () => {
  assert.equal(setting(args({ role: 'reviewer' }), 'web_search'), '"disabled"');
  assert.equal(setting(args({ role: 'author' }), 'web_search'), undefined);
});

test('the folder is not trusted, and nothing in it is obeyed', () => {
  const list = args({}, { workFolders: ['/a "b"', '/real'], skills: ['/real/.agents/skills/x/SKILL.md'] });
  const untrusted = '{"trust_level"="untrusted"}';
  assert.equal(setting(list, 'projects'), String.raw`{"/a \"b\""=${untrusted},"/real"=${untrusted}}`);
  assert.equal(setting(list, 'skills.config'), '[{"path"="/real/.agents/skills/x/SKILL.md","enabled"=false}]');
  assert.equal(setting(list, 'project_doc_max_bytes'), '0');
  assert.ok(list.includes('--ignore-rules') && list.includes('--ignore-user-config'));
});

test('where it may obey the project, the folder is trusted', () => {
  const list = args({ role: 'author', obeysProject: true });
  assert.match(setting(list, 'projects') ?? '', /"trusted"/);
  assert.equal(setting(list, 'project_doc_max_bytes'), undefined);
  assert.ok(!list.includes('--ignore-rules') && list.includes('--ignore-user-config'));
});

test('the result channel is a server that must be there and whose tool asks nobody', () => {
  const server = setting(args({ report: 'mcp', bridge: ['/bin/node', '/b "c".js', '/s\\ocket'] }), 'mcp_servers.volley') ?? '';
  assert.ok(server.startsWith(String.raw`{"command"="/bin/node","args"=["/b \"c\".js","/s\\ocket"],"required"=true,`));
  assert.match(server, /"default_tools_approval_mode"="approve"/);
  assert.equal(setting(args({ report: 'structured', bridge: null }), 'mcp_servers.volley'), undefined);
});

test('another endpoint is a provider of its own, with a key only if there is one', () => {
  const access = { keyName: 'OPENAI_API_KEY', key: 'secret', baseUrl: 'http://host/v1' };
  const list = args({}, { access });
  assert.match(setting(list, 'model_providers.volley') ?? '', /"base_url"="http:\/\/host\/v1".*"env_key"="CODEX_API_KEY"/);
  assert.equal(setting(list, 'model_provider'), '"volley"');
  assert.doesNotMatch(setting(args({}, { access: { ...access, key: null } }), 'model_providers.volley') ?? '', /env_key/);
  assert.equal(setting(args(), 'model_provider'), undefined);
});

test('no key ever stands among the arguments, which every process of a machine can read', () => {
  const access = { keyName: 'OPENAI_API_KEY', key: 'secret-key', baseUrl: 'http://host/v1' };
  assert.doesNotMatch(args({ env: { OPENAI_API_KEY: 'secret-key' } }, { access }).join(' '), /secret-key/);
});

test('a session goes on, with a model, a schema and the prompt on standard input', () => {
  const list = args({ resume: '01a1e000-0000-7000-8000-000000000001' }, { model: 'gpt-5.5', schemaFile: '/schema.json' });
  assert.deepEqual(list.slice(-3), ['resume', '01a1e000-0000-7000-8000-000000000001', '-']);
  assert.deepEqual([optionOf(list, '-m'), optionOf(list, '--output-schema')], ['gpt-5.5', '/schema.json']);
  assert.equal(args().includes('-m'), false);
});

test('commands get back the variables that Codex needs otherwise', () => {
  assert.equal(setting(args(), 'shell_environment_policy.set'), '{"HOME"="/home"}');
  assert.match(setting(args(), 'shell_environment_policy.exclude') ?? '', /"CODEX_API_KEY".*"TZ"/);
  const zoned = args({ env: { HOME: '/home', TZ: 'Asia/Tokyo' } });
  assert.equal(setting(zoned, 'shell_environment_policy.set'), '{"HOME"="/home","TZ"="Asia/Tokyo"}');
  assert.doesNotMatch(setting(zoned, 'shell_environment_policy.exclude') ?? '', /TZ/);
});
