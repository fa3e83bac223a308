/**
 * Letters that UTS 39 calls confusable, and digits, by the small letter. Diacritics are separate (NFD), compatible
 * spellings replaced (NFKC).
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

/** ISO 15924 codes of scripts used alone in a name. All others count as one. */
const SCRIPTS = [
  ...['Arab', 'Armn', 'Beng', 'Bopo', 'Cyrl', 'Deva', 'Ethi', 'Geor', 'Grek', 'Gujr', 'Guru', 'Hang', 'Hani', 'Hebr'],
  ...['Hira', 'Kana', 'Khmr', 'Knda', 'Laoo', 'Latn', 'Mlym', 'Mymr', 'Orya', 'Sinh', 'Taml', 'Telu', 'Thaa', 'Thai'],
  'Tibt',
];
/** Written together: Japanese, Chinese and Korean, each with Latin (UTS 39, "highly restrictive"). */
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

/** True if a letter of one script may pose as a letter of another. */
export function mixesScripts(name: string): boolean {
  return !FITTING.some((fitting) => fitting.test(name));
}

/** Names with the same appearance are hard to tell apart. A capital I behind a small letter counts as l. */
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
