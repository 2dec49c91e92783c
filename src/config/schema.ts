import { z } from 'zod';
import { artefactPathProblem } from '../core/writers/artefact-path.ts';
import { NotificationChannel } from '../core/review-loop-settings.ts';
import { Severity } from '../core/finding.ts';
import { Depth, Effort, MOST_ROUNDS } from '../core/policy.ts';
import { count, distinct, Dollars, Duration, InsidePath, Money, Name, SecretReference, template, VariableName } from './values.ts';

const LIST_OF_PROGRAM = 'must be a list of the program and its arguments, like ["bash", "review.sh"]';
const REVIEWERS = 'must be the name of an agent, or a list of names';
const MODEL = 'must name a model';
const GATE = 'must be a command, like "npm test", or settings with a run';

const Price = z.strictObject({
  input: Dollars.describe('Dollars for a million tokens that go in.'),
  output: Dollars.describe('Dollars for a million tokens that come out, reasoning included.'),
  cached: Dollars.optional().describe('Dollars for a million tokens that are read from the cache; without it as much as input.'),
  cacheWrite: Dollars.optional().describe('Dollars for a million tokens that are written to the cache; without it as much as input.'),
});

const Agent = z
  .strictObject({
    driver: z
      .string()
      .describe('The code that runs this agent, such as command; without it the entry’s own name, or command where run is given.'),
    run: z
      .array(z.string(), { error: LIST_OF_PROGRAM })
      .min(1, { error: LIST_OF_PROGRAM })
      .describe(
        'The program and its arguments, started without a shell; what names a file beside this configuration becomes its absolute path.',
      ),
    env: z.array(VariableName).describe('Names of variables of your environment that the agent gets; values are never written here.'),
    trustText: z.boolean().describe('Whether an approval in plain text counts; off, because a quoted line can say anything.'),
    model: z.string().min(1, { error: MODEL }).describe('The model that the agent uses.'),
    sessionUsd: Dollars.describe('The most dollars that one session of this agent may spend.'),
    price: Price.describe('What its tokens cost, in the place of the published prices; a project cannot replace those of the user.'),
    billing: z
      .enum(['api', 'subscription'])
      .describe('How it is paid for: by use (api), or by a subscription, whose use is shown as an estimate beside the spend.'),
    maxPromptChars: count(1).describe('The longest prompt that it takes whole, in characters; larger changes are reviewed in parts.'),
    maxParallel: count(1).describe('How many sessions of this agent may run at once, across all loops.'),
    sarif: z
      .array(z.string().min(1, { error: 'must not be empty' }))
      .describe('Of builtin: commands that print SARIF, as lines for the shell, such as npx eslint -f sarif; their results join its own.'),
    ignore: z.array(z.string()).describe('Of builtin: names of rules that are switched off.'),
    hosts: z.array(z.string()).describe('Hosts that this agent may reach beside those of its provider.'),
  })
  .partial();

const Roles = z
  .strictObject({
    author: Name.describe('The agent that makes the change.'),
    reviewer: z
      .union([Name, z.array(Name).min(1, { error: REVIEWERS })], { error: REVIEWERS })
      .describe('The agent, or the panel of agents, that reviews every round.'),
    fixer: Name.describe('The agent that answers findings; without it the author.'),
    arbiter: Name.describe('The agent that rules on disputes between fixer and reviewer.'),
    fallback: z.array(Name).describe('Agents that step in, in this order, when one fails.'),
  })
  .partial();

const Review = z
  .strictObject({
    enabled: z.boolean().describe('Whether changes are reviewed at all.'),
    beforePullRequest: z.boolean().describe('Whether the review comes before the pull request is opened.'),
    context: z.enum(['diff', 'files']).describe('What the reviewer is given: the diff, or the full changed files too.'),
    autoIterate: z.boolean().describe('Whether a review that an agent asks for goes on to the fixer by itself, where it does not say.'),
  })
  .partial();

const Ceiling = z
  .strictObject({
    loop: Money.describe('The most dollars for one loop.'),
    run: Money.describe('The most dollars for one run of several loops.'),
    day: Money.describe('The most dollars in one day.'),
  })
  .partial();

const Timeouts = z
  .strictObject({
    author: Duration.describe('The longest session of an author.'),
    review: Duration.describe('The longest session of a reviewer or arbiter.'),
    fix: Duration.describe('The longest session of a fixer.'),
    gate: Duration.describe('The longest run of one gate.'),
    idle: Duration.describe('The longest silence of an agent.'),
  })
  .partial();

const Policy = z
  .strictObject({
    effort: Effort.describe('A preset of maxRounds, depth and checkpointEvery; explicit keys in the same file beat it.'),
    depth: Depth.describe('How thorough the reviewer’s prompt is.'),
    checkpointEvery: z
      .union([count(1), z.literal('none')], { error: 'must be a whole number of at least 1, or none' })
      .describe('After how many iterations of the author a checkpoint review is taken.'),
    maxRounds: count(1, MOST_ROUNDS).describe('How many reviews a loop may take before a person is asked; one fix fewer.'),
    maxAuthorIterations: count(1).describe('How many turns the author may take until its task is complete.'),
    maxGateFixes: count(0).describe('How many times in a row red gates go to the fixer before a person is asked.'),
    onMaxRounds: z.enum(['ask', 'open-pull-request']).describe('What follows when the last round still blocks.'),
    blockAt: Severity.describe('The mildest severity that blocks.'),
    convergence: z.enum(['ratchet', 'strict']).describe('Whether late findings must be worse to block (ratchet), or not (strict).'),
    quorum: z.enum(['all', 'majority', 'any']).describe('How many valid approvals a panel needs.'),
    ceiling: Ceiling.describe('Limits of money; a project cannot raise those of the user.'),
    countSubscription: z.boolean().describe('Whether work on a subscription counts against the ceilings, by its estimate.'),
    timeouts: Timeouts.describe('Limits of time per phase.'),
  })
  .partial();

const Gate = z
  .strictObject({
    name: z.string().min(1, { error: 'must not be empty' }).describe('What the gate is called in reports; without it the command.'),
    cwd: InsidePath.describe('The folder in which the command runs.'),
    paths: z.array(z.string()).describe('Globs; the gate runs only if the change touches one of them.'),
    network: z.boolean().describe('Whether the command may use the network.'),
  })
  .partial()
  .extend({
    run: z.string().min(1, { error: 'must not be empty' }).describe('The command, as a line for the shell; it must exit with 0.'),
  });

const Checkout = z
  .strictObject({
    copy: z.array(InsidePath).describe('Files that are copied into every checkout and never committed, such as .env.'),
    setup: z.string().min(1, { error: 'must not be empty' }).describe('A command that prepares a new checkout, such as npm ci.'),
    branchPrefix: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9/_-]*$/, { error: 'must be the beginning of a branch name, like volley/' })
      .describe('What the branches that Volley makes begin with.'),
  })
  .partial();

const TaskType = z
  .strictObject({
    autoReview: z.boolean().describe('Whether queued tasks of this type are reviewed and fixed without being asked.'),
    maxRounds: count(1, MOST_ROUNDS).describe('The policy’s maxRounds for tasks of this type.'),
    model: z
      .string()
      .min(1, { error: MODEL })
      .describe('The model of author and fixer for tasks of this type; of a review also that of a reviewer without a reviewModel.'),
    reviewModel: z.string().min(1, { error: MODEL }).describe('The model of the reviewer for tasks of this type.'),
    timeout: Duration.describe('The longest session of the agent that begins the task: author, reviewer, or fixer.'),
    reviewTimeout: Duration.describe('The longest session of the reviewer.'),
    fixTimeout: Duration.describe('The longest session of the fixer.'),
  })
  .partial();

const TaskTypes = z
  .strictObject({
    implement: TaskType.describe('Tasks that begin with the author.'),
    review: TaskType.omit({ autoReview: true }).describe('Reviews of an existing change.'),
    improve: TaskType.pick({ model: true, timeout: true, fixTimeout: true }).describe('Single fixes that a person orders with improve.'),
  })
  .partial();

const PullRequest = z
  .strictObject({
    create: z.boolean().describe('Whether an approved loop opens a pull request.'),
    addressFeedback: z.boolean().describe('Whether feedback on the pull request is answered.'),
    maxFeedbackRounds: count(0).describe('How many times feedback is answered before a person is asked.'),
    reviewers: z.array(z.string()).describe('People who are asked to review when it is ready.'),
    bots: z.array(z.string()).describe('Bots whose comments count as feedback.'),
    label: z.string().describe('The label that it gets when it is ready.'),
  })
  .partial();

const Slack = z.strictObject({
  webhook: SecretReference.describe('The variable that holds the webhook, as env:NAME.'),
  users: z.array(z.string()).optional().describe('People who are mentioned.'),
});

const Email = z.strictObject({
  to: z.array(z.string()).min(1, { error: 'must name at least one address' }).describe('Who gets the mail.'),
  from: z.string().describe('The sender.'),
  host: z.string().describe('The mail server.'),
  port: count(1).optional().describe('The port of the mail server.'),
  user: z.string().optional().describe('The name at the mail server.'),
  password: SecretReference.optional().describe('The variable that holds the password, as env:NAME.'),
});

const Webhook = z.strictObject({
  url: SecretReference.describe('The variable that holds the address, as env:NAME.'),
  secret: SecretReference.optional().describe('The variable that holds the secret that signs each message, as env:NAME.'),
});

const Notify = z
  .strictObject({
    onReady: z.boolean().describe('Whether people are told when a change is ready for them.'),
    channels: distinct(NotificationChannel).describe('Where they are told.'),
    slack: Slack.describe('How Slack is reached.'),
    email: Email.describe('How mail is sent.'),
    webhook: Webhook.describe('Which address gets a message.'),
  })
  .partial();

const Commit = z
  .strictObject({
    message: template(['n', 'summary'], []).describe('The message of a fix; {n} is the round, {summary} what the fixer says.'),
    sign: z.enum(['inherit', 'off']).describe('Whether commits are signed as your git is configured to.'),
  })
  .partial();

const ArtefactTemplate = z.string().superRefine((text, context) => {
  const problem = artefactPathProblem(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

const Artefacts = z
  .strictObject({
    path: ArtefactTemplate.describe('Where review documents are written; {id}, {ref}, {n} and {yyyymmdd} are filled in.'),
  })
  .partial();

const Confine = z
  .strictObject({
    read: z.array(z.string()).describe('Further folders that agents may read.'),
    write: z.array(z.string()).describe('Further folders that authors, fixers and gates may write.'),
    network: z.enum(['open', 'provider', 'none']).describe('What agents may reach, where it differs from the rule of their role.'),
    hosts: z.array(z.string()).describe('Further hosts, as name or name:port, for all agents and gates that may reach anything.'),
    required: z.boolean().describe('Whether nothing starts that the operating system does not hold, as --require-sandbox says.'),
    projectSettings: z.enum(['none', 'base']).describe('Whether authors and fixers obey the agent settings of the base branch.'),
  })
  .partial();

const Mcp = z
  .strictObject({
    decide: z
      .boolean()
      .describe('Whether an agent may answer what a loop asks, but never accept or approve; only your own configuration may allow it.'),
  })
  .partial();

/** What one `volley.yaml` may say; every key is optional, unknown ones are errors. */
export const ConfigFile = z
  .strictObject({
    agents: z.record(Name, Agent).describe('The programs that can play a role, by name.'),
    roles: Roles.describe('Which agent plays which role.'),
    review: Review.describe('Whether and how changes are reviewed.'),
    policy: Policy.describe('The limits of a loop.'),
    gates: z
      .array(z.union([z.string().min(1, { error: GATE }), Gate], { error: GATE }))
      .describe('Commands that must pass before a review.'),
    checkout: Checkout.describe('How checkouts are prepared.'),
    taskTypes: TaskTypes.describe('What differs per type of task.'),
    pullRequest: PullRequest.describe('What happens on the forge.'),
    notify: Notify.describe('Who is told, and how.'),
    commit: Commit.describe('How fixes are committed.'),
    artefacts: Artefacts.describe('Where review documents lie.'),
    confine: Confine.describe('What agents may touch.'),
    mcp: Mcp.describe('What agents may do that use Volley over MCP.'),
  })
  .partial()
  .describe('The configuration of Volley for one project or one user.');
export type ConfigFile = z.infer<typeof ConfigFile>;

/** The configuration in force: all layers merged over the defaults. What stays optional has no default. */
export const Config = ConfigFile.required().extend({
  agents: z.record(Name, Agent.extend({ driver: z.string() })),
  roles: Roles.required({ reviewer: true, fallback: true }),
  review: Review.required(),
  policy: Policy.required().extend({ effort: Effort.optional(), ceiling: Ceiling.required(), timeouts: Timeouts.required() }),
  checkout: Checkout.required().extend({ setup: z.string().optional() }),
  pullRequest: PullRequest.required(),
  commit: Commit.required(),
  artefacts: Artefacts.required(),
  mcp: Mcp.required(),
});
export type Config = z.infer<typeof Config>;
