import { z } from 'zod';
import { Category, Severity } from '../../core/finding.ts';

/** A language of our own rules. */
export const Language = z.enum(['js', 'python', 'go', 'java', 'rust', 'shell']);
export type Language = z.infer<typeof Language>;

/** The words by which the engine knows the grammars of a language, and the endings of its files. */
export const LANGUAGES: Readonly<Record<Language, { readonly grammars: readonly string[]; readonly endings: readonly string[] }>> = {
  // One rule serves all dialects: TSX reads plain JavaScript too, and TypeScript needs a grammar of its own for casts like <T>x.
  js: { grammars: ['TypeScript', 'Tsx'], endings: ['ts', 'mts', 'cts', 'tsx', 'js', 'mjs', 'cjs', 'jsx'] },
  python: { grammars: ['Python'], endings: ['py', 'pyi'] },
  go: { grammars: ['Go'], endings: ['go'] },
  java: { grammars: ['Java'], endings: ['java'] },
  rust: { grammars: ['Rust'], endings: ['rs'] },
  shell: { grammars: ['Bash'], endings: ['sh', 'bash'] },
};

/** Which files the TSX grammar reads although their ending is not its own. */
export const TSX_GLOBS = ['*.js', '*.mjs', '*.cjs', '*.jsx'];

/** How much a match matters; the words of ast-grep are known too, so that its own rules can be taken over as they are. */
const RuleSeverity = z
  .union([Severity, z.enum(['error', 'warning', 'info', 'hint'])], { error: 'must be critical, high, medium, low or suggestion' })
  .transform((word): Severity =>
    word === 'error' ? 'high' : word === 'warning' ? 'medium' : word === 'info' ? 'low' : word === 'hint' ? 'suggestion' : word,
  );

/** What the engine is asked to match; its own words, checked by it. */
const Matching = z.object({
  rule: z.record(z.string(), z.unknown()),
  constraints: z.record(z.string(), z.unknown()).optional(),
  utils: z.record(z.string(), z.unknown()).optional(),
  transform: z.record(z.string(), z.unknown()).optional(),
  rewriters: z.array(z.unknown()).optional(),
  fix: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
});

/** A piece of code that a rule must or must not match; `fixed` is what its fix makes of it. */
export const Example = z.union([
  z.string().transform((code) => ({ code })),
  z.strictObject({ code: z.string(), fixed: z.string().optional(), language: z.string().optional() }),
]);

/** A rule file as it is written. A rule of ast-grep is one too: `language`, `note` and its severities are understood. */
export const RuleFile = z
  .object({
    id: z.string().regex(/^[a-z0-9][a-z0-9._-]{2,63}$/i, { error: 'must be a short name of letters, digits and -' }),
    language: z.string().optional(),
    languages: z.array(z.string()).min(1).optional(),
    severity: RuleSeverity.default('medium'),
    category: Category.default('logic'),
    message: z.string().min(1, { error: 'must say what is wrong' }),
    impact: z.string().optional(),
    suggestion: z.string().optional(),
    note: z.string().optional(),
    files: z.array(z.string()).optional(),
    ignores: z.array(z.string()).optional(),
    /** The same rule in the words of other grammars; each names its languages. */
    variants: z.array(Matching.extend({ languages: z.array(z.string()).min(1) })).optional(),
    examples: z.object({ bad: z.array(Example), good: z.array(Example) }).optional(),
  })
  .extend(Matching.partial().shape);
export type RuleFile = z.infer<typeof RuleFile>;

/** A rule that is ready for the engine. */
export type Rule = {
  readonly id: string;
  /** The file of a project that it stands in; null for ours. */
  readonly origin: string | null;
  readonly severity: Severity;
  readonly category: Category;
  readonly message: string;
  readonly impact: string | null;
  readonly suggestion: string | null;
  /** Whether its fix may be applied without looking: it is exact and keeps what the code means. */
  readonly fixes: boolean;
  /** What the engine reads, one document per grammar. */
  readonly documents: readonly object[];
  readonly examples: RuleFile['examples'] | null;
};

/** Makes a rule of what was written; it says everything once for each grammar. */
export function makeRule(file: RuleFile, origin: string | null): Rule {
  const own = file.rule === undefined ? [] : [{ ...file, rule: file.rule, languages: file.languages ?? [file.language ?? ''] }];
  const variants = [...own, ...(file.variants ?? [])];
  const documents = variants.flatMap(({ languages, rule, constraints, utils, transform, rewriters, fix }) =>
    languages.flatMap(grammarsOf).map((language) => ({
      id: `${file.id}@${language}`,
      language,
      // An error would be told by its exit code; how much a match matters is not for the engine to say.
      severity: 'warning',
      message: file.message,
      rule,
      ...without({ constraints, utils, transform, rewriters, fix, files: file.files, ignores: file.ignores }),
    })),
  );
  return {
    id: file.id,
    origin,
    severity: file.severity,
    category: file.category,
    message: file.message,
    impact: file.impact ?? file.note ?? null,
    suggestion: file.suggestion ?? null,
    fixes: variants.some(({ fix }) => fix !== undefined),
    documents,
    examples: file.examples ?? null,
  };
}

/** The language that a file is written in, null if no rule of ours knows it. */
export function languageOf(path: string): Language | null {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Language.options.find((language) => LANGUAGES[language].endings.includes(ending)) ?? null;
}

function grammarsOf(language: string): readonly string[] {
  const own = Language.safeParse(language);
  return own.success ? LANGUAGES[own.data].grammars : [language];
}

function without(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
