/**
 * Letters that look like a Latin one, by its small letter: letters of the scripts next to Latin that UTS 39 calls
 * confusable with it, and digits. By then diacritics are separate (NFD), and compatible spellings are replaced (NFKC).
 */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: 'аɑαАΑᎪ',
  b: 'ЬВΒᏴ',
  c: 'сᴄСᏟ',
  d: 'ԁԀᎠ',
  e: 'еҽЕΕᎬ',
  f: 'ք',
  g: 'ɡցᏀ',
  h: 'һհНΗᎻ',
  i: 'іıιɩІΙ',
  j: 'јϳЈᎫ',
  k: 'кκĸКΚᏦ',
  l: '1|ǀӏӀᏞ',
  m: 'МΜᎷ',
  n: 'ոռΝ',
  o: '0оοσօᴏОΟՕ',
  p: 'рρРΡᏢ',
  q: 'ԛզԚ',
  r: 'гᴦᎡ',
  s: 'ѕꜱЅᏚ',
  t: 'ТΤᎢ',
  u: 'υսʋᴜՍ',
  v: 'ѵνᴠѴᏙ',
  w: 'ѡԝաωᴡԜᎳ',
  x: 'хχХΧ',
  y: 'уγүʏУΥҮᎽ',
  z: 'ᴢΖᏃ',
};

const LETTER_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKS_LIKE).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
);

/** Scripts that are used alone in a name, by their ISO 15924 codes. All other scripts count as one. */
const SCRIPTS = [
  ...['Arab', 'Armn', 'Beng', 'Bopo', 'Cyrl', 'Deva', 'Ethi', 'Geor', 'Grek', 'Gujr', 'Guru', 'Hang', 'Hani', 'Hebr'],
  ...['Hira', 'Kana', 'Khmr', 'Knda', 'Laoo', 'Latn', 'Mlym', 'Mymr', 'Orya', 'Sinh', 'Taml', 'Telu', 'Thaa', 'Thai'],
  'Tibt',
];
/** Scripts that are written together: Japanese, Chinese and Korean, each with Latin (UTS 39, "highly restrictive"). */
const TOGETHER = [
  ['Latn', 'Hani', 'Hira', 'Kana'],
  ['Latn', 'Hani', 'Bopo'],
  ['Latn', 'Hani', 'Hang'],
];
const COMMON = '\\p{sc=Zyyy}\\p{sc=Zinh}';
const FITTING = [
  ...[...SCRIPTS.map((script) => [script]), ...TOGETHER].map(
    (scripts) => new RegExp(`^[${COMMON}${named(scripts)}]*$`, 'u'),
  ),
  new RegExp(`^[^${SCRIPTS.map((script) => `\\p{sc=${script}}`).join('')}]*$`, 'u'),
];

/**
 * True if a name mixes scripts that are not written together, so that a letter of one may pose as a letter of the
 * other.
 */
export function mixesScripts(name: string): boolean {
  return !FITTING.some((fitting) => fitting.test(name));
}

/**
 * The appearance of a name: two names with the same appearance are hard to tell apart. A capital I behind a small
 * letter stands for the l that it looks like.
 */
export function looksOf(name: string): string {
  const letters = name
    .normalize('NFKC')
    .replace(/(?<=\p{Ll})I/gu, 'l')
    .normalize('NFD')
    .replace(/./gsu, (letter) => LETTER_OF.get(letter) ?? letter)
    .toLowerCase();
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w').replace(/\s+/g, ' ').trim().normalize('NFC');
}

function named(scripts: readonly string[]): string {
  return scripts.map((script) => `\\p{scx=${script}}`).join('');
}
