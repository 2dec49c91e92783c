import type { Candidate, ProjectTexts, SetupGuess } from './guess.ts';

/** What keeps the packages of a Python project: how they are installed, and how a program of theirs is started. */
type Keeper = { readonly from: string; readonly install: string; readonly start: string };

const LOCKS: readonly Keeper[] = [
  { from: 'uv.lock', install: 'uv sync', start: 'uv run ' },
  { from: 'poetry.lock', install: 'poetry install', start: 'poetry run ' },
  { from: 'pdm.lock', install: 'pdm install', start: 'pdm run ' },
  { from: 'Pipfile.lock', install: 'pipenv sync --dev', start: 'pipenv run ' },
];

const REQUIREMENTS: Keeper = {
  from: 'requirements.txt',
  install: 'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt',
  start: '.venv/bin/python -m ',
};

/** The checks that a Python project has settings for. */
export function pythonGates(texts: ProjectTexts): Candidate[] {
  return TOOLS.flatMap((tool) => {
    const from = tool.from(texts);
    return from === null ? [] : [{ run: `${startOf(tool.name, texts)}${tool.line(texts)}`, from }];
  });
}

/** How the packages of a Python project get into a fresh checkout; nothing where that is not clear. */
export function pythonSetup(texts: ProjectTexts): SetupGuess[] {
  const keeper = keeperOf(texts);
  if (keeper === null) return [];
  const doubt =
    keeper === REQUIREMENTS && !namesTestTool(texts) ? 'requirements.txt names no test tool, so it may not be all that is needed' : null;
  return [{ run: keeper.install, from: keeper.from, fills: keeper.start.startsWith('pipenv') ? null : '.venv', doubt }];
}

type Tool = { readonly name: string; from(texts: ProjectTexts): string | null; line(texts: ProjectTexts): string };

const TOOLS: readonly Tool[] = [
  {
    name: 'ruff',
    from: (texts) => place(texts, [['ruff.toml'], ['.ruff.toml'], ['pyproject.toml', /^\[tool\.ruff\b/m]]),
    line: () => 'ruff check .',
  },
  { name: 'mypy', from: mypySettings, line: (texts) => (/^\s*(?:files|packages)\s*=/m.test(mypySection(texts)) ? 'mypy' : 'mypy .') },
  {
    name: 'pytest',
    from: (texts) =>
      place(texts, [
        ['pytest.ini'],
        ['pyproject.toml', /^\[tool\.pytest\b/m],
        ['setup.cfg', /^\[tool:pytest\]/m],
        ['tox.ini', /^\[pytest\]/m],
        ['conftest.py'],
        ['pyproject.toml', /^\s*["']?pytest\b(?![-\w])/m],
        ['pyproject.toml', /["']pytest\b(?![-\w])/],
        ...['requirements.txt', 'requirements-dev.txt', 'dev-requirements.txt'].map((path) => [path, /^pytest\b(?![-\w])/m] as const),
      ]),
    line: () => 'pytest',
  },
  { name: 'tox', from: toxOnly, line: () => 'tox' },
];

type Sign = readonly [path: string, pattern?: RegExp];

function place(texts: ProjectTexts, signs: readonly Sign[]): string | null {
  const found = signs.find(([path, pattern]) => texts.has(path) && (pattern === undefined || pattern.test(texts.get(path) ?? '')));
  return found?.[0] ?? null;
}

function mypySettings(texts: ProjectTexts): string | null {
  return place(texts, [['mypy.ini'], ['.mypy.ini'], ['pyproject.toml', /^\[tool\.mypy\]/m], ['setup.cfg', /^\[mypy\]/m]]);
}

function mypySection(texts: ProjectTexts): string {
  const text = texts.get(mypySettings(texts) ?? '') ?? '';
  return /^\[(?:tool\.)?mypy\]\n([^]*?)(?=^\[|(?![^]))/m.exec(text)?.[1] ?? '';
}

/** Tox makes its own environments and runs the tests in them; where pytest has settings, that is the shorter way. */
function toxOnly(texts: ProjectTexts): string | null {
  const runsTests = place(texts, [['tox.ini', /^\[testenv\b/m]]);
  return runsTests !== null && TOOLS.find(({ name }) => name === 'pytest')?.from(texts) === null ? runsTests : null;
}

/** Locks of two managers, or several lists of requirements, could mean anything. */
function keeperOf(texts: ProjectTexts): Keeper | null {
  const locks = LOCKS.filter(({ from }) => texts.has(from));
  if (locks.length > 0) return locks.length === 1 ? (locks[0] ?? null) : null;
  const lists = [...texts.keys()].filter((path) => /^(?:[\w-]+-)?requirements(?:[-_][\w-]+)?\.txt$/.test(path));
  return lists.join() === REQUIREMENTS.from ? REQUIREMENTS : null;
}

function startOf(tool: string, texts: ProjectTexts): string {
  const keeper = keeperOf(texts);
  // Tox is installed for the user, not for the project.
  if (keeper === null || tool === 'tox') return '';
  return keeper !== REQUIREMENTS || isRequired(tool, texts) ? keeper.start : '';
}

function namesTestTool(texts: ProjectTexts): boolean {
  return ['pytest', 'mypy', 'ruff'].some((tool) => isRequired(tool, texts));
}

function isRequired(tool: string, texts: ProjectTexts): boolean {
  return new RegExp(`^${tool}\\b(?![-\\w])`, 'm').test(texts.get(REQUIREMENTS.from) ?? '');
}
