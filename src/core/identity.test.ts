import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Delta, HunkSpan } from './delta.ts';
import { Category } from './finding.ts';
import type { RaisedFinding } from './finding.ts';
import { identify, isSameForSure } from './identity.ts';
import type { Identified, KnownFinding } from './identity.ts';
import { reanchor } from './re-anchor.ts';

function raise(changes: Partial<RaisedFinding> = {}): RaisedFinding {
  return {
    source: 'reviewer',
    severity: 'high',
    category: 'logic',
    tag: null,
    file: 'a.ts',
    line: 10,
    lineEnd: null,
    place: 'changed',
    description: 'The retry loop has no upper limit.',
    impact: null,
    suggestion: null,
    patch: null,
    snippet: null,
    flags: [],
    raisedBy: ['codex'],
    codeHash: null,
    ...changes,
  };
}

function know(changes: Partial<RaisedFinding> = {}, more: { readonly id?: string; readonly also?: readonly string[] } = {}): KnownFinding {
  return { ...raise(changes), id: '1.1', ...more };
}

function idsOf(identified: readonly Identified[]): (string | null)[] {
  return identified.map(({ known }) => known);
}

/** Whether a finding is taken for a known one. */
function isMatched(raised: Partial<RaisedFinding>, known: Partial<RaisedFinding>): boolean {
  return idsOf(identify([raise(raised)], [know(known)]))[0] === '1.1';
}

/** Two and two say the same, as two reviewers would put it. */
const SAME: readonly string[] = [
  'security: User input is interpolated directly into the SQL query, which allows SQL injection.',
  'security: SQL injection: `name` is concatenated into the query string instead of being passed as a bound parameter.',
  'logic: `getUser` may return null, but the result is dereferenced without a check.',
  'logic: Missing null check on the return value of getUser(); this will throw a TypeError when the user does not exist.',
  'logic: The loop condition uses `<=`, so it reads one element past the end of the array.',
  'logic: Off-by-one error: `i <= items.length` accesses an index out of bounds on the last iteration of the loop.',
  'performance: A database query is issued for each order inside the loop (N+1 queries).',
  'performance: N+1 query problem: orders are loaded one by one in the loop; batch them into a single query.',
  'logic: The promise returned by `saveSettings` is not awaited, so failures are silently lost.',
  'logic: Unhandled promise: missing `await` before saveSettings(), errors will be swallowed.',
  'security: The API key is hard-coded in the source file and will end up in version control.',
  'security: Hardcoded credential: an API key should not be committed; read it from an environment variable.',
  'logic: Errors thrown by `JSON.parse` are not handled, malformed input crashes the server.',
  'logic: JSON.parse is called on untrusted input without try/catch; invalid JSON will crash the process.',
  'testing: There is no test for the case in which the cart is empty.',
  'testing: Missing test coverage: the empty cart path of `checkout` is never exercised.',
  'logic: The file handle is opened but never closed when an exception is raised.',
  'performance: Resource leak: if an exception occurs the opened file is not closed. Use a context manager (`with`).',
  'security: Path traversal: `filename` comes from the request and is joined to the upload folder without validation.',
  'security: The upload path is built from the request-supplied filename with no sanitization, so `../` allows escaping the folder (path traversal).',
  'style: The constant 86400 is a magic number; give it a name.',
  'style: Magic number `86400` should be extracted into a named constant such as SECONDS_PER_DAY.',
  'logic: Two requests can pass the balance check at the same time and both withdraw, a classic race condition.',
  'logic: Race condition: the balance is checked and then updated without a lock or transaction, so concurrent withdrawals can overdraw.',
  'documentation: The README still describes the old `--verbose` flag, which was removed.',
  'documentation: Docs are out of date: README mentions `--verbose`, but this change removes that flag.',
  'security: The session token is compared with `===`, which leaks timing information.',
  'security: Token comparison is not constant-time; use `timingSafeEqual` to avoid timing attacks.',
  'logic: `parseInt` is called without a radix and its NaN result is never checked.',
  'logic: parseInt result can be NaN for non-numeric input and is used unchecked.',
  'architecture: The controller talks to the database directly, bypassing the repository layer.',
  'architecture: Layering violation: database access belongs in the repository, not in the controller.',
  'style: The imported helper `formatDate` is never used.',
  'style: Unused import `formatDate`.',
  'logic: The catch block is empty, so any error is swallowed silently.',
  'logic: Exceptions are silently ignored by an empty catch block; at least log the error.',
  'security: User-controlled HTML is written with innerHTML, this is an XSS vulnerability.',
  'security: Cross-site scripting (XSS): `comment.body` is assigned to `innerHTML` without being escaped.',
  'logic: The timeout is given in seconds here, but `setTimeout` expects milliseconds.',
  'logic: Unit mismatch: `timeoutSeconds` is passed to setTimeout, which takes milliseconds, so it fires 1000 times too early.',
  'performance: `readFileSync` blocks the event loop on every request.',
  'performance: Synchronous file read inside the request handler blocks the event loop; use the async fs API.',
  'logic: When the discount is larger than the price the total becomes negative.',
  'logic: The total is not clamped at zero: a discount above the price yields a negative amount.',
  'architecture: This abstract factory has only one implementation; a plain function would do.',
  'architecture: Over-engineered: an abstract factory for a single implementation adds indirection without benefit.',
  'logic: The cache key does not contain the locale, so users get pages in the wrong language.',
  'logic: Cached pages are shared between languages because the locale is missing from the cache key.',
  'testing: The test asserts nothing: it only calls `render()` and will pass whatever happens.',
  'testing: No assertions in this test; calling render without checking the output can never fail.',
  'security: The admin endpoint does not check that the caller is an administrator.',
  'security: Missing authorization: any authenticated user can call the admin endpoint.',
  'logic: The default argument is a mutable list, which is shared between calls.',
  'style: Mutable default argument `items=[]` is evaluated once and shared across all calls of the function.',
  'logic: The retry loop has no upper limit and can spin for ever when the server is down.',
  'logic: Retries are unbounded: if the server stays down this loops forever. Add a maximum number of attempts.',
  'logic: Integer division truncates the average; convert to float first.',
  'logic: The average is computed with integer division, so the fractional part is lost.',
  'performance: The regular expression is compiled on every call; hoist it out of the function.',
  'performance: Regex is re-created each time the function runs. Move the compiled pattern to module scope.',
  'logic: Event listeners are added on every render and never removed.',
  'performance: Memory leak: addEventListener is called on each render without a matching removeEventListener cleanup.',
  'logic: The date is parsed in local time although the API returns UTC.',
  'logic: Timezone bug: the UTC timestamp from the API is interpreted as local time.',
  'style: The function `process` does three unrelated things and is 120 lines long; split it.',
  'style: `process` is too long (120 lines) and has several responsibilities. Consider splitting it into smaller functions.',
  'security: Passwords are hashed with MD5, which is broken; use bcrypt or argon2.',
  'security: Weak password hashing: MD5 must not be used for passwords.',
  'logic: The condition is inverted: inactive accounts are let in and active ones are refused.',
  'logic: Inverted check: `!account.active` should reject, but this branch grants access to inactive accounts.',
  'security: `exec` runs a shell command built from the branch name, which permits command injection.',
  'security: Command injection via unsanitised branch name in the shell command; use `execFile` with an argument array.',
  'logic: If `fetch` rejects, `isLoading` stays true and the spinner never goes away.',
  'logic: isLoading is not reset when the request fails, leaving the spinner on screen. Reset it in a finally block.',
  'logic: The migration drops the column before the data has been copied.',
  'logic: Data loss: column is dropped prior to copying its contents to the new one.',
  'security: CORS is configured with a wildcard origin while credentials are allowed.',
  'security: Overly permissive CORS: `Access-Control-Allow-Origin: *` together with credentials exposes the API to any site.',
  'performance: The whole table is loaded into memory just to count its rows.',
  'performance: Use a COUNT query here, fetching every row only to take the length wastes memory.',
  'logic: Comparing floats with == is unreliable here.',
  'logic: Floating point equality comparison: use a tolerance instead of `==`.',
  'logic: The generator is consumed by the first loop, so the second loop sees nothing.',
  'logic: `rows` is a generator and is iterated twice; the second iteration is always empty.',
  'testing: The new endpoint has no tests at all.',
  'testing: No tests were added for the new /export endpoint.',
  'style: `fetchUserData` and `loadUserData` are near-identical; deduplicate them.',
  'architecture: Duplicated logic between fetchUserData and loadUserData, extract a shared function.',
  'security: Debug mode is left enabled in the production settings.',
  'security: `DEBUG = True` must not ship to production.',
  'logic: The switch has no default case, so an unknown status falls through silently.',
  'logic: Unhandled status values: add a default branch to the switch.',
  'logic: State is mutated in place, React will not re-render.',
  'logic: Direct mutation of `state.items` means the component does not re-render; create a new array.',
  'logic: The lock file is not removed if the process is killed, so the next start hangs.',
  'logic: Stale lock: after a crash the lock file remains and the next start blocks forever.',
  'documentation: The docstring says the function returns a list, it returns a dict.',
  'documentation: Docstring is wrong about the return type (dict, not list).',
  'security: JWT signature is not verified because the algorithm `none` is accepted.',
  'security: The token is decoded without verifying its signature; `algorithms` should be pinned.',
  'logic: Negative quantities are accepted and reduce the order total.',
  'logic: There is no validation that `quantity` is positive; a negative quantity lowers the total.',
  'logic: The comparator returns a boolean instead of a number, so the sort order is undefined.',
  'logic: `sort((a, b) => a > b)` is wrong: the comparator must return a negative, zero or positive number.',
  'performance: Images are not lazy-loaded, which slows the first paint.',
  'performance: Add `loading="lazy"` to the images: all of them are fetched on first paint.',
  'logic: Deleted users still receive the newsletter because the filter on `deleted_at` is missing.',
  'logic: The query does not exclude soft-deleted users (`deleted_at`), so they will get the newsletter.',
];

/** Two and two say different things; the second says how many lines it lies below the first. */
const DIFFERENT: readonly string[] = [
  'logic: `parseConfig` ignores unknown keys, so typos go unnoticed.',
  '+0 documentation: `parseConfig` is exported but has no doc comment.',
  'security: User input is interpolated directly into the SQL query, which allows SQL injection.',
  '+1 performance: The query selects all columns although only the name is needed.',
  'logic: `getUser` may return null, but the result is dereferenced without a check.',
  '+1 logic: `getUser` is called twice with the same id; the second call is redundant.',
  'logic: The loop condition uses `<=`, so it reads one element past the end of the array.',
  '+2 performance: Concatenating strings inside the loop is quadratic; collect the parts and join them.',
  'logic: The promise returned by `saveSettings` is not awaited, so failures are silently lost.',
  '+0 logic: `saveSettings` writes the defaults back and overwrites values that the user never changed.',
  'logic: The file handle is opened but never closed when an exception is raised.',
  '+0 logic: The file is opened without an explicit encoding, so the result depends on the platform.',
  'security: The API key is hard-coded in the source file.',
  '+1 security: The API is called over plain http, so responses can be tampered with.',
  'style: The variable `d` should have a descriptive name.',
  '+0 style: Use `const` instead of `let`, the variable is never reassigned.',
  'testing: There is no test for the case in which the cart is empty.',
  '+3 testing: The test depends on the current date and will fail next year.',
  'testing: There is no test for an expired token.',
  '+0 testing: There is no test for concurrent logins.',
  'logic: The total is not rounded to cents.',
  '+1 logic: The total ignores the shipping cost.',
  'logic: The discount is applied before the tax, but the specification says after.',
  '+2 logic: When the discount is larger than the price the total becomes negative.',
  'security: The session token is compared with `===`, which leaks timing information.',
  '+1 security: The session token never expires.',
  'logic: Errors thrown by `JSON.parse` are not handled, malformed input crashes the server.',
  '+1 logic: The parsed object is used without validating its shape.',
  'performance: `readFileSync` blocks the event loop on every request.',
  '+0 logic: `readFileSync` throws when the file does not exist, and nobody catches it.',
  'architecture: The controller talks to the database directly, bypassing the repository layer.',
  '+3 logic: The database connection is not released when the query fails.',
  'logic: The cache key does not contain the locale, so users get pages in the wrong language.',
  '+2 performance: Cache entries are never evicted, so memory grows without bound.',
  'logic: The retry loop has no upper limit and can spin for ever when the server is down.',
  '+0 logic: There is no delay between retries, which hammers a server that is already in trouble.',
  'security: The upload path is built from the request-supplied filename, which allows path traversal.',
  '+2 security: The size of the upload is not limited, so a client can fill the disk.',
  'security: The admin endpoint does not check that the caller is an administrator.',
  '+0 security: The admin endpoint is not rate limited.',
  'logic: Event listeners are added on every render and never removed.',
  '+4 performance: The sorted list is computed again on every render; memoize it.',
  'logic: The date is parsed in local time although the API returns UTC.',
  '+1 style: The date format is repeated in four places; extract a constant.',
  'logic: Integer division truncates the average; convert to float first.',
  '+0 logic: The average of an empty list divides by zero.',
  'security: Passwords are hashed with MD5, which is broken; use bcrypt or argon2.',
  '+2 security: The password is written to the log in clear text.',
  'logic: `items` may be undefined when the response has no body.',
  '+0 style: `items` shadows a variable of the outer scope.',
  'logic: The mutex is not released when `flush` throws.',
  '+1 logic: `flush` is called while the mutex is held, which can deadlock with the writer thread.',
  'documentation: The comment says that the list is sorted, but it is not.',
  '+3 documentation: The parameter `limit` is not documented.',
  'logic: A negative `limit` is accepted and returns everything.',
  '+0 logic: The default of `limit` differs from the one in the documentation.',
  'architecture: This module imports from the web layer and creates a circular dependency.',
  '+1 style: Imports are not sorted.',
  'logic: The callback is invoked twice when the socket closes after an error.',
  '+2 logic: The socket is not destroyed after a timeout, so it leaks.',
  'logic: The regular expression does not match e-mail addresses with a plus sign.',
  '+0 performance: The regular expression backtracks catastrophically on long input.',
  'style: Missing semicolon.',
  '+0 style: Line is longer than 120 characters.',
  'logic: Missing null check for `user`.',
  '+1 logic: Missing null check for `account`.',
  'testing: The mock is not restored after the test.',
  '+5 testing: The test asserts nothing: it only calls `render()` and will pass whatever happens.',
  'security: `exec` runs a shell command built from the branch name, which permits command injection.',
  '+1 logic: The exit code of the shell command is ignored.',
  'style: The function `process` does three unrelated things and is 120 lines long; split it.',
  '+0 style: The name `process` shadows the global of Node.',
  'logic: If `fetch` rejects, `isLoading` stays true and the spinner never goes away.',
  '+1 logic: `fetch` does not reject on HTTP errors; check `response.ok`.',
  'logic: The migration drops the column before the data has been copied.',
  '+3 logic: The migration has no down step, so it cannot be rolled back.',
  'security: CORS is configured with a wildcard origin while credentials are allowed.',
  '+2 security: Security headers such as HSTS are missing from the response.',
  'performance: The whole table is loaded into memory just to count its rows.',
  '+0 performance: There is no index on `created_at`, so this query scans the whole table.',
  'logic: The generator is consumed by the first loop, so the second loop sees nothing.',
  '+1 style: The two loops could be merged into one.',
  'testing: The new endpoint has no tests at all.',
  '+0 documentation: The new endpoint is not described in the API documentation.',
  'style: `fetchUserData` and `loadUserData` are near-identical; deduplicate them.',
  '+1 logic: `fetchUserData` does not pass the abort signal on to the request.',
  'logic: The switch has no default case, so an unknown status falls through silently.',
  '+2 logic: The case for status `archived` lacks a break.',
  'logic: State is mutated in place, React will not re-render.',
  '+4 logic: The effect lacks `items` in its dependency array, so it sees stale state.',
  'logic: The lock file is not removed if the process is killed, so the next start hangs.',
  '+0 security: The lock file is created world-writable.',
  'documentation: The docstring says the function returns a list, it returns a dict.',
  '+0 documentation: The docstring does not mention that the function raises KeyError.',
  'security: JWT signature is not verified because the algorithm `none` is accepted.',
  '+2 security: The JWT secret is read from a file that is committed to the repository.',
  'logic: Negative quantities are accepted and reduce the order total.',
  '+0 logic: Quantities are parsed as floats, so 0.1 items can be ordered.',
  'logic: The comparator returns a boolean instead of a number, so the sort order is undefined.',
  "+0 logic: Sorting in place mutates the caller's array.",
  'logic: Deleted users still receive the newsletter because the filter on `deleted_at` is missing.',
  '+1 logic: Users without an e-mail address are not filtered out before the newsletter is sent.',
  'security: The reset link does not expire.',
  '+1 security: The reset link is sent over an unencrypted channel.',
  'logic: `timeout` is ignored when `retries` is zero.',
  '+0 logic: `retries` is off by one: with `retries: 3` the request is made four times.',
  'logic: The response body is read twice, the second read always fails.',
  '+2 logic: The response status is not checked before the body is read.',
];
function read(written: string): { readonly below: number; readonly words: Partial<RaisedFinding> } {
  const [, below = '0', category = '', description = ''] = /^(?:\+(\d) )?(\w+): (.*)$/.exec(written) ?? [];
  return { below: Number(below), words: { category: Category.parse(category), description } };
}

/** The second halves of the pairs that are matched, or of those that are not. */
function sift(texts: readonly string[], wanted: boolean): string[] {
  const pairs = texts.flatMap((text, index) => (index % 2 === 0 ? [[read(text), read(texts[index + 1] ?? '')] as const] : []));
  assert.ok(pairs.length >= 25);
  const found = pairs.filter(([a, b]) => isMatched({ ...b.words, line: 10 + b.below }, { ...a.words, line: 10 }) === wanted);
  return found.map(([, b]) => b.words.description ?? '');
}

describe('findings in other words', () => {
  test('are recognised at the same place, all but a few', () => {
    assert.deepEqual(sift(SAME, false), MISSED);
  });

  test('are kept apart on neighbouring lines, all but a few', () => {
    assert.deepEqual(sift(DIFFERENT, true), CONFUSED);
  });
});

/** Too few words in common: rather two findings than one that hides another. */
const MISSED: readonly string[] = [
  'Off-by-one error: `i <= items.length` accesses an index out of bounds on the last iteration of the loop.',
  'Token comparison is not constant-time; use `timingSafeEqual` to avoid timing attacks.',
  'Regex is re-created each time the function runs. Move the compiled pattern to module scope.',
  'Floating point equality comparison: use a tolerance instead of `==`.',
  '`rows` is a generator and is iterated twice; the second iteration is always empty.',
  'Duplicated logic between fetchUserData and loadUserData, extract a shared function.',
];

/** Nothing but understanding would tell these from their neighbours. */
const CONFUSED: readonly string[] = [
  '`flush` is called while the mutex is held, which can deadlock with the writer thread.',
  'The response status is not checked before the body is read.',
];

/** Twenty words, of which as many are those of `sharing(1)` as it says. */
function sharing(part: number): string {
  const kept = Math.round(part * 20);
  return Array.from('abcdefghijklmnopqrst', (letter, index) => (index < kept ? `${letter}aka` : `${letter}oko`)).join(' ');
}

/** How similar the words must be to match, in steps of a twentieth. */
function leastMatch(raised: Partial<RaisedFinding>, known: Partial<RaisedFinding> = {}): number | null {
  const parts = Array.from({ length: 20 }, (_, index) => (index + 1) / 20);
  return parts.find((part) => isMatched({ ...raised, description: sharing(part) }, { ...known, description: sharing(1) })) ?? null;
}

describe('a finding is the same', () => {
  test('near the place where it was, and the less likely so the farther it is away', () => {
    const places = [{ line: 13 }, { line: 14 }, { line: 30 }, { line: 31 }, { line: null }, { file: null, line: null }, { file: 'b.ts' }];
    assert.deepEqual(
      places.map((place) => leastMatch(place)),
      [0.35, 0.5, 0.5, 0.6, 0.6, 0.7, null],
    );
    assert.deepEqual(
      places.map((place) => leastMatch({ ...place, category: 'style' })),
      [0.4, 0.65, 0.65, 0.75, 0.75, 0.8, null],
    );
  });

  test('on lines that overlap, however long they are', () => {
    assert.equal(leastMatch({ line: 1, lineEnd: 80 }, { line: 60, lineEnd: 200 }), 0.35);
    assert.equal(leastMatch({ line: 1, lineEnd: 80 }, { line: 83, lineEnd: 84 }), 0.35);
    assert.equal(leastMatch({ line: 1, lineEnd: 80 }, { line: 84 }), 0.5);
  });

  test('without a file, if neither has one', () => {
    assert.equal(leastMatch({ file: null, line: null }, { file: null, line: null }), 0.6);
  });

  test('with the same lines of code, wherever they went', () => {
    const snippet = 'while (true) { await retry(request); }';
    assert.equal(leastMatch({ line: 300, snippet }, { snippet: '  while (true) {\n    await retry(request);\n  }' }), 0.35);
    assert.equal(leastMatch({ line: 300, snippet: 'return null;' }, { snippet: 'return null;' }), 0.6);
    assert.equal(leastMatch({ file: 'b.ts', snippet }, { snippet }), 0.7);
  });

  test('whatever its severity', () => {
    assert.equal(leastMatch({ severity: 'suggestion' }, { severity: 'critical' }), 0.35);
  });

  test('under two rules only if it says much the same, types of issues aside', () => {
    assert.equal(leastMatch({ tag: 'no-loop' }, { tag: 'no-retry' }), 0.6);
    assert.equal(leastMatch({ tag: 'no-loop' }, { tag: 'no-loop' }), 0.35);
    assert.equal(leastMatch({ tag: 'no-loop' }), 0.35);
    assert.equal(leastMatch({ tag: 'no-loop' }, { tag: 'dead-code' }), 0.35);
  });

  test('of the same source, forge and reviewer being one', () => {
    assert.equal(isMatched({ source: 'forge' }, {}), true);
    assert.equal(isMatched({ source: 'engine' }, {}), false);
    assert.equal(isMatched({ source: 'person' }, { source: 'person' }), true);
  });

  test('if it is like any of the words that it was put in', () => {
    const raised = raise({ description: sharing(0.5) });
    assert.deepEqual(idsOf(identify([raised], [know({ description: 'Clients hang.' })])), [null]);
    assert.deepEqual(idsOf(identify([raised], [know({ description: 'Clients hang.' }, { also: ['More.', sharing(1)] })])), ['1.1']);
  });
});

describe('within a round', () => {
  test('what two reviewers say about one thing is one finding', () => {
    const [found, ...rest] = identify(
      [raise(), raise({ raisedBy: ['claude'], description: 'The retry loop lacks an upper limit', line: 12 })],
      [],
    );
    assert.deepEqual([found?.members.length, rest.length], [2, 0]);
  });

  test('the same words of one reviewer about two places are two findings', () => {
    assert.equal(identify([raise(), raise({ line: 11 })], []).length, 2);
    const nobody = { raisedBy: [], file: 'b.ts' };
    assert.equal(
      identify([raise(), raise({ raisedBy: ['claude'], file: 'c.ts' }), raise(nobody), raise({ ...nobody, line: 11 })], []).length,
      4,
    );
  });

  test('what one reviewer says twice about the same lines is one finding', () => {
    assert.equal(identify([raise(), raise({ category: 'style', description: 'the retry loop has no upper limit' })], []).length, 1);
  });

  test('everything in a group is the same as everything else in it', () => {
    const words = sharing(1).split(' ');
    const texts = [words.slice(0, 13), words, words.slice(9)];
    const raised = texts.map((text, index) => raise({ description: text.join(' '), raisedBy: [`agent ${index}`] }));
    const sizes = identify(raised, []).map(({ members }) => members.length);
    assert.deepEqual(sizes, [2, 1]);
    assert.deepEqual(
      identify(raised.slice(1), []).map(({ members }) => members.length),
      [2],
    );
  });

  test('each place finds its own counterpart', () => {
    const lines = [10, 13, 16];
    const raised = lines.flatMap((line) => [raise({ line }), raise({ line: line + 1, raisedBy: ['claude'] })]);
    const found = identify(raised, []).map(({ members }) => members.map((member) => member.line ?? 0).toSorted((a, b) => a - b));
    assert.deepEqual(found, [
      [10, 11],
      [13, 14],
      [16, 17],
    ]);
  });

  test('new findings come worst first, then by place', () => {
    const raised = [
      raise({ severity: 'low', file: 'a.ts', description: 'one', tag: 'a' }),
      raise({ severity: 'low', file: 'a.ts', description: 'four' }),
      raise({ severity: 'critical', file: 'b.ts', line: 9, description: 'two' }),
      raise({ severity: 'critical', file: 'b.ts', line: 3, description: 'three' }),
    ];
    assert.deepEqual(
      identify(raised, []).map(({ members }) => members[0]?.description),
      ['three', 'two', 'four', 'one'],
    );
  });
});

test('known findings are matched best pair first, not first come', () => {
  const known = [know({ line: 10 }, { id: '1.1' }), know({ line: 14 }, { id: '1.2' }), know({ line: 18 }, { id: '1.10' })];
  const raised = [raise({ line: 14 }), raise({ line: 18 }), raise({ line: 24 })];
  const found = identify(raised, known).map(({ members, known: id }) => [members[0]?.line, id]);
  assert.deepEqual(found, [
    [14, '1.2'],
    [18, '1.10'],
    [24, '1.1'],
  ]);
});

test('of two known findings that are alike the older one is repeated', () => {
  const known = ['1.10', '1.9', '1.11'].map((id) => know({}, { id }));
  assert.deepEqual(idsOf(identify([raise()], known)), ['1.9']);
});

describe('a refuted finding is hidden', () => {
  const isHidden = (part: number, raised: Partial<RaisedFinding> = {}, known: Partial<RaisedFinding> = {}): boolean =>
    isSameForSure(raise({ ...raised, description: sharing(part) }), know({ ...known, description: sharing(1) }));

  test('if very similar words come back in its category or under its tag', () => {
    assert.deepEqual([isHidden(0.8), isHidden(0.75)], [true, false]);
    assert.equal(isHidden(0.95, { category: 'style' }), false);
    assert.equal(isHidden(0.8, { category: 'style', tag: 'no-loop' }, { tag: 'no-loop' }), true);
  });

  test('if the very same words come back about its file, whatever the category', () => {
    assert.equal(isHidden(1, { category: 'style', line: 90 }), true);
    assert.equal(isHidden(1, { file: 'b.ts' }), false);
    assert.equal(
      isSameForSure(raise({ category: 'style' }), know({ description: 'x' }, { also: ['the RETRY loop has no upper limit'] })),
      true,
    );
    assert.equal(isSameForSure(raise({ category: 'style', description: '?' }), know({ description: '!' })), false);
  });
});

/** Few words and lines, so that much is the same. */
const raisedFindings = fc.array(
  fc
    .record({
      severity: fc.constantFrom('critical' as const, 'low' as const),
      category: fc.constantFrom('logic' as const, 'style' as const),
      tag: fc.constantFrom(null, null, 'rule-1', 'rule-2', 'dead-code'),
      source: fc.constantFrom('reviewer' as const, 'reviewer' as const, 'forge' as const, 'person' as const),
      file: fc.constantFrom('a.ts', 'a.ts', 'b.ts', null),
      line: fc.constantFrom(null, 1, 3, 6, 10, 40),
      snippet: fc.constantFrom(null, null, 'const total = price * amount;'),
      raisedBy: fc.subarray(['codex', 'claude', 'gemini'], { maxLength: 2 }),
      description: fc.constantFrom(sharing(1), sharing(0.7), sharing(0.5), sharing(0.4), sharing(0), 'Missing `lock`.'),
    })
    .map((changes) => raise({ ...changes, line: changes.file === null ? null : changes.line })),
  { maxLength: 14 },
);
const knownFindings = raisedFindings.map((all) => all.map((one, index): KnownFinding => ({ ...one, id: `1.${index + 1}` })));

describe('whatever is raised', () => {
  test('the order of the input does not matter', () => {
    const cases = fc.tuple(raisedFindings, knownFindings).chain(([raised, known]) =>
      fc.record({
        raised: fc.constant(raised),
        known: fc.constant(known),
        shuffled: fc.shuffledSubarray(raised, { minLength: raised.length }),
        mixed: fc.shuffledSubarray(known, { minLength: known.length }),
      }),
    );
    fc.assert(
      fc.property(cases, ({ raised, known, shuffled, mixed }) => assert.deepEqual(identify(shuffled, mixed), identify(raised, known))),
    );
  });

  test('each finding is in one group, and each known one in one at most', () => {
    fc.assert(
      fc.property(raisedFindings, knownFindings, (raised, known) => {
        const found = identify(raised, known);
        const members = found.flatMap((group) => group.members);
        assert.equal(members.length, raised.length);
        assert.deepEqual(new Set(members), new Set(raised));
        const ids = idsOf(found).filter((id) => id !== null);
        assert.equal(new Set(ids).size, ids.length);
      }),
    );
  });

  test('a group holds one place per reviewer', () => {
    fc.assert(
      fc.property(raisedFindings, (raised) => {
        for (const { members } of identify(raised, [])) {
          const places = Map.groupBy(
            members.flatMap(({ raisedBy, file, line }) => raisedBy.map((name) => ({ name, place: `${file} ${line}` }))),
            ({ name }) => name,
          );
          for (const ofOne of places.values()) assert.equal(new Set(ofOne.map(({ place }) => place)).size, 1);
        }
      }),
    );
  });
});

/** Findings that speak of different things, on lines of their own, each with what it is called in the next round. */
const rounds = fc.record({
  items: fc.array(fc.record({ gap: fc.integer({ min: 1, max: 6 }), before: fc.nat({ max: 9 }), dropped: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  }),
  isRenamed: fc.boolean(),
});

test('neither an edit elsewhere nor a rename changes what a finding is', () => {
  fc.assert(
    fc.property(rounds, ({ items, isRenamed }) => {
      const known: KnownFinding[] = [];
      const still: RaisedFinding[] = [];
      const moved: RaisedFinding[] = [];
      const hunks: HunkSpan[] = [];
      let [line, shift] = [0, 0];
      for (const [index, { gap, before, dropped }] of items.entries()) {
        // The lines that are added stand right above the finding's.
        line += gap;
        if (before > 0) hunks.push({ oldStart: line - 1, oldCount: 0, newStart: line + shift, newCount: before });
        shift += before;
        const topic = (words: string): string => words.replaceAll('#', `${index}`);
        known.push(know({ line, description: topic('topic# breaks thing# when part# is gone') }, { id: `1.${index + 1}` }));
        if (dropped) continue;
        const again = raise({ line, description: topic('thing# of topic# is broken without part#') });
        still.push(again);
        moved.push({ ...again, line: line + shift, file: isRenamed ? 'b.ts' : 'a.ts' });
      }
      const file = isRenamed
        ? ({ path: 'b.ts', oldPath: 'a.ts', status: 'renamed' } as const)
        : ({ path: 'a.ts', oldPath: null, status: 'modified' } as const);
      const delta: Delta = { from: '1'.repeat(40), files: [{ ...file, hunks }] };
      const followed = known.map((one) => ({ ...one, ...reanchor(one, delta) }));
      const expected = items.flatMap(({ dropped }, index) => (dropped ? [] : [`1.${index + 1}`]));
      assert.deepEqual(idsOf(identify(still, known)), expected);
      assert.deepEqual(idsOf(identify(moved, followed)), expected);
    }),
  );
});
