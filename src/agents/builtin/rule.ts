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
  .union([Severity, z.enum(['error', 'warning', 'info', 'hint', 'off'])], { error: 'must be critical, high, medium, low or suggestion' })
  .transform((word): Severity | 'off' => {
    const known = { error: 'high', warning: 'medium', info: 'low', hint: 'suggestion' } as const;
    return word === 'error' || word === 'warning' || word === 'info' || word === 'hint' ? known[word] : word;
  });

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
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9._-]{2,63}$/i, { error: 'must be a short name of letters, digits and -' }),
    language: z.string().optional(),
    languages: z.array(z.string()).min(1).optional(),
    severity: RuleSeverity.default('medium'),
    category: Category.default('logic'),
    message: z.string().min(1, { error: 'must say what is wrong' }).optional(),
    impact: z.string().optional(),
    suggestion: z.string().optional(),
    note: z.string().optional(),
    files: z.array(z.string()).optional(),
    ignores: z.array(z.string()).optional(),
    /** The same rule in the words of other grammars; each names its languages. */
    variants: z.array(z.strictObject({ ...Matching.shape, languages: z.array(z.string()).min(1) })).optional(),
    examples: z.strictObject({ bad: z.array(Example), good: z.array(Example) }).optional(),
    // What ast-grep knows beside this, and what says nothing to us.
    labels: z.unknown().optional(),
    metadata: z.unknown().optional(),
    url: z.string().optional(),
    ...Matching.partial().shape,
  })
  .refine(({ rule, variants }) => rule !== undefined || variants !== undefined, { error: 'must have a rule', path: ['rule'] })
  .refine(({ rule, language, languages }) => rule === undefined || (language ?? languages) !== undefined, {
    error: 'must name a language',
    path: ['language'],
  });
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

/** Makes a rule of what was written, with everything said once for each grammar; null if it is switched off. */
export function makeRule(file: RuleFile, origin: string | null): Rule | null {
  if (file.severity === 'off') return null;
  const own = file.rule === undefined ? [] : [{ ...file, rule: file.rule, languages: file.languages ?? [file.language ?? ''] }];
  const variants = [...own, ...(file.variants ?? [])];
  const message = file.message ?? file.id;
  const documents = variants.flatMap(({ languages, rule, constraints, utils, transform, rewriters, fix }, number) =>
    languages.flatMap(grammarsOf).map(({ grammar, files }) => ({
      // Two variants may speak the same language, and the engine wants names of their own.
      id: `${file.id}@${number}${grammar}`,
      language: grammar,
      // An error would be told by its exit code; how much a match matters is not for the engine to say.
      severity: 'warning',
      message,
      rule,
      ...without({ constraints, utils, transform, rewriters, fix, files: file.files ?? files, ignores: file.ignores }),
    })),
  );
  return {
    id: file.id,
    origin,
    severity: file.severity,
    category: file.category,
    message,
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

type Grammar = { readonly grammar: string; readonly files?: readonly string[] };

/** The grammars of a language. Plain JavaScript is read by that of TSX, so a rule for it alone is kept to its files. */
function grammarsOf(language: string): readonly Grammar[] {
  const own = Language.safeParse(language);
  if (own.success) return LANGUAGES[own.data].grammars.map((grammar) => ({ grammar }));
  return /^(?:javascript|jsx)$/i.test(language)
    ? [{ grammar: 'Tsx', files: TSX_GLOBS.map((glob) => `**/${glob}`) }]
    : [{ grammar: language }];
}

function without(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
