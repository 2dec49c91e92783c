/** The words of a text that say what it is about, for comparisons with texts that the same reader read. */
export type WordSet = readonly Word[];

/** `id` stands for its text; words are sorted by it. */
type Word = { readonly id: number; readonly weight: number; readonly isCode: boolean };

/** How much two texts speak of the same thing, from 0 to 1: 1 if their words are equal, 0 if one has none. */
export function similarity(a: string, b: string): number {
  const read = wordReader();
  return compareWords(read(a), read(b));
}

/** What `similarity` says of the texts that these words come from: Dice's coefficient, lowered where what they share proves little. */
export function compareWords(a: WordSet, b: WordSet): number {
  const [shared, ofA, ofB] = [
    { prose: 0, code: 0 },
    { prose: 0, code: 0 },
    { prose: 0, code: 0 },
  ];
  let at = 0;
  for (const word of a) {
    for (let before = b[at]; before !== undefined && before.id < word.id; before = b[++at]) ofB[kindOf(before)] += before.weight;
    const other = b[at]?.id === word.id ? b[at++] : undefined;
    // A word that only one of them marks as code is the same word.
    const kind = other?.isCode === true ? 'code' : kindOf(word);
    const weight = Math.max(word.weight, other?.weight ?? 0);
    ofA[kind] += weight;
    if (other === undefined) continue;
    ofB[kind] += weight;
    shared[kind] += weight;
  }
  for (let rest = b[at]; rest !== undefined; rest = b[++at]) ofB[kindOf(rest)] += rest.weight;
  if (total(shared) === 0) return 0;
  return dice(total(shared), total(ofA), total(ofB)) * trust(shared, ofA, ofB);
}

type Weights = { readonly prose: number; readonly code: number };

function kindOf({ isCode }: Word): 'prose' | 'code' {
  return isCode ? 'code' : 'prose';
}

/** What two texts must share to be believed, unless one of them has less. */
const ENOUGH = 3;
const ENOUGH_PROSE = 0.75;

function trust(shared: Weights, a: Weights, b: Weights): number {
  const evidence = Math.min(1, total(shared) / Math.min(ENOUGH, total(a), total(b)));
  // Findings about neighbouring lines name the same code; what is wrong with it stands in the prose.
  const isCodeOnly = shared.prose < Math.min(ENOUGH_PROSE, a.prose, b.prose);
  // One sentence about two names is two statements.
  const isTemplate = a.code > 0 && b.code > 0 && shared.code === 0 && dice(shared.prose, a.prose, b.prose) > 0.9;
  return evidence * (isCodeOnly ? 0.4 : 1) * (isTemplate ? 0.3 : 1);
}

function total({ prose, code }: Weights): number {
  return prose + code;
}

function dice(shared: number, a: number, b: number): number {
  return (2 * shared) / (a + b);
}

/** Reads words: stop words of English are left out, its endings cut, and code weighs double. */
export function wordReader(): (text: string) => WordSet {
  const ids = new Map<string, number>();
  const read = new Map<string, WordSet>();
  const idOf = (word: string): number => {
    const id = ids.get(word) ?? ids.size;
    ids.set(word, id);
    return id;
  };
  return (text) => {
    const words =
      read.get(text) ?? Array.from(weigh(text), ([word, rest]) => ({ id: idOf(word), ...rest })).toSorted((a, b) => a.id - b.id);
    read.set(text, words);
    return words;
  };
}

function weigh(text: string): Map<string, Omit<Word, 'id'>> {
  const found = readTokens(text);
  const isEnglish = found.some(({ word }) => ENGLISH.has(word.toLowerCase()));
  const telling = isEnglish ? found.filter(({ word, isCode }) => isCode || !STOP_WORDS.has(word.toLowerCase())) : found;
  const words = new Map<string, Omit<Word, 'id'>>();
  for (const token of telling.length === 0 ? found : telling) {
    for (const [word, weight] of weighed(token)) {
      const known = words.get(word);
      words.set(word, { weight: Math.max(weight, known?.weight ?? 0), isCode: token.isCode || known?.isCode === true });
    }
  }
  return words;
}

type Token = { readonly word: string; readonly isCode: boolean };

/** Numbers of lines change with every edit above them. */
const LINE_NUMBERS = /\blines?\s+\d+(?:\s*(?:-|–|to|and)\s*\d+)?|(?<=[\w)]):\d+(?:[-:]\d+)?\b/gi;

function readTokens(text: string): Token[] {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/['’]|(?<=\b(?:re|un|non|de|pre|hard))-(?=\p{L})/giu, '')
    .replaceAll(LINE_NUMBERS, ' ');
  // What stands between backticks is at the odd places.
  return plain.split('`').flatMap((part, index) =>
    Array.from(part.matchAll(/[\p{L}\p{M}\p{N}_$]+/gu), ([word]) => ({
      word,
      isCode: index % 2 === 1 || /[_$]|\p{Ll}\p{Lu}/u.test(word),
    })),
  );
}

const CODE_WEIGHT = 2;
const WEAK_WEIGHT = 0.5;
const STOP_WEIGHT = 0.25;

function weighed({ word, isCode }: Token): (readonly [string, number])[] {
  const parts = word.split(/[_$]+|(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u).filter((part) => part !== '');
  const pieces = parts.flatMap(splitUnspaced).map((part) => stem(part.toLowerCase()));
  const whole = word.toLowerCase();
  if (isCode && pieces.length !== 1) return [[whole, CODE_WEIGHT], ...pieces.map((piece) => [piece, 1] as const)];
  // Reviewers write few words in capitals, and those say much: SQL, XSS, UTC.
  const plainWeight = STOP_WORDS.has(whole) ? STOP_WEIGHT : /^\p{Lu}{3,}$/u.test(word) ? CODE_WEIGHT : 1;
  return pieces.map((piece) => [piece, isCode ? CODE_WEIGHT : WEAK_STEMS.has(piece) ? WEAK_WEIGHT : plainWeight] as const);
}

const UNSPACED = /([\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+)/u;

/** Scripts without spaces between words are read two characters at a time. */
function splitUnspaced(word: string): string[] {
  return word.split(UNSPACED).flatMap((run, index) => {
    const characters = Array.from(run);
    if (index % 2 === 0 || characters.length < 2) return run === '' ? [] : [run];
    return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
  });
}

/** Cuts what English adds to a word, so that `validates`, `validated` and `validation` are one. */
function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  const single = word.replace(/ies$/, 'y').replace(/(?<=ss|sh|ch|x)es$|(?<![sui])s$/, '');
  const bare = single.replace(/^un(?=[a-z]{5})/, '');
  const cut = bare.replace(/(?<=[a-z]{3})(?:ation|ated?|ating|ator|ition|ion|ing|ed|er|or|ly|able|ible|ance|ence|al)$/, '');
  const end = cut.replace(/([b-df-hj-kmnp-rtv-z])\1$/, '$1').replace(/(?<=[a-z]{3})[ey]$/, '');
  return end.replace(/iz$/, 'is');
}

/** Words by which a text is known to be English, because its neighbours do not have them. */
const ENGLISH: ReadonlySet<string> = new Set(
  'the and this that these there with which when where from should does has have are be not can it its but never without because'.split(
    ' ',
  ),
);

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those it its there here they them their we you your he she i and or but nor so as if then than because ' +
    'although though while when where which who whom whose what how why whether is are was were be been being am do does did done doing ' +
    'has have had having can could may might must shall should will would of in on at by to for from with without into onto over under ' +
    'about between among after before during through per via out up down off again also too very just only even still yet already not no ' +
    'never cannot cant dont doesnt didnt isnt arent wasnt wont any some all each every both either neither other another such same more ' +
    'most much many few less least own one two first second once now ever however therefore thus hence instead rather etc eg ie like'
  ).split(' '),
);

/** Words that reviewers use about anything, or that the category says already. */
const WEAK_STEMS: ReadonlySet<string> = new Set(
  (
    'use uses used using code function functions method methods class line file value variable result call called change issue problem ' +
    'bug make create cause happen need needed add added remove return give get set miss missing possible current new test testing ' +
    'coverage document documentation docs comment'
  )
    .split(' ')
    .map(stem),
);
