/** A place in a file, by the text that stands there. */
type At = {
  readonly file?: string;
  readonly at?: string;
  /** The text of the last line, where there are several. */
  readonly to?: string;
};

/** What a reviewer of a story reports. */
export type StoryIssue = At & {
  readonly severity: 'critical' | 'high' | 'medium' | 'low' | 'suggestion';
  readonly category: 'security' | 'architecture' | 'logic' | 'style' | 'performance' | 'testing' | 'documentation';
  readonly description: string;
  readonly impact?: string;
  readonly suggestion?: string;
  /** The lines that an exact patch puts in the place of these. */
  readonly becomes?: readonly string[];
};

/** What a session cost: as the agent reports it, or as its tokens are priced. */
type Usage = { readonly costUsd: number } | { readonly inputTokens: number; readonly outputTokens: number };

/** What an agent hands back; findings are named by their number in the loop. */
export type StoryResult = {
  readonly passed?: boolean;
  readonly verdict?: string;
  readonly summary?: string;
  readonly interpretedIntent?: string;
  readonly intentSatisfied?: boolean;
  readonly taskComplete?: boolean;
  readonly issues?: readonly StoryIssue[];
  readonly evidence?: readonly { readonly claim: string; readonly command: string; readonly output: string }[];
  readonly resolutions?: readonly {
    readonly finding: number;
    readonly status: 'fixed' | 'disputed' | 'needs_person';
    readonly note: string;
    readonly places?: readonly (readonly [file: string, at: string])[];
  }[];
  readonly usage?: Usage;
};

/** One session. An author's turns follow one another; the others are found by role, round and agent. */
export type StoryTurn = {
  readonly role: 'author' | 'reviewer' | 'fixer' | 'arbiter';
  readonly round?: number;
  readonly agent?: string;
  /** Printed before anything else. */
  readonly say?: readonly string[];
  /** Never ends by itself; prints these lines again and again. */
  readonly works?: true;
  readonly while?: readonly string[];
  readonly write?: Readonly<Record<string, string>>;
  /** So many files of so many lines, which are the same each time. */
  readonly generate?: { readonly folder: string; readonly files: number; readonly lines: number };
  readonly replace?: readonly (readonly [path: string, from: string, to: string])[];
  readonly remove?: readonly string[];
  readonly result?: StoryResult;
  readonly exit?: number;
};

/** What a person does once the loop rests; it goes on afterwards. */
export type StoryWord =
  | { readonly do: 'uphold' | 'cancel'; readonly reason: string }
  | { readonly do: 'comment'; readonly file: string; readonly at: string; readonly text: string };

/** One loop of the showcase: what is asked for, who plays, and how far it goes. */
export type Story = {
  readonly title: string;
  /** The words of the task below its title. */
  readonly text?: string;
  readonly author?: string;
  readonly reviewer?: readonly string[];
  readonly fixer?: string;
  readonly maxRounds?: number;
  readonly ceilingUsd?: number;
  readonly group?: string;
  /** A branch that exists and is reviewed; nobody writes then. */
  readonly branch?: string;
  /** False rests after the author. */
  readonly autoReview?: boolean;
  /** The titles of stories before this one. */
  readonly dependsOn?: readonly string[];
  /** When it came to rest. */
  readonly minutesAgo: number;
  /** Where it is left for a server to go on: before it begins, or before a step that follows this one. */
  readonly until?: 'start' | `gated-${1 | 2 | 3}` | `reviewed-${1 | 2 | 3}`;
  readonly words?: readonly StoryWord[];
  /** What breaks while its gates run. */
  readonly breaks?: string;
  readonly lands?: true;
  readonly turns: readonly StoryTurn[];
};
