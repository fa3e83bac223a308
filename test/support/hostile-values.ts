import fc from 'fast-check';

/** A placeholder for a number that JSON can express but JavaScript cannot. */
const TOO_LARGE = '@1e309@';
/** A placeholder for nested lists, deeper than any recursion reaches. */
const TOO_DEEP = '@deep@';
const DEEP = '['.repeat(50_000) + ']'.repeat(50_000);
const LONG = [256, 2_001, 10_001, 70_000].map((length) => 'x'.repeat(length));
export const SQL = [
  "' OR 1=1 -- ",
  '"; DROP TABLE users; #',
  '1) OR (1=1',
  '\\',
  "\\'",
  '%',
  '_%',
  '`',
  '/*',
  '?',
  ':id',
];
const EXPRESSIONS = [
  '('.repeat(1_900),
  '"unclosed',
  '1/0',
  '9^9^9^9',
  'a.b.c',
  'sensor_data_value[0]',
  '-'.repeat(1_900),
];
const ODD = [
  '\u0000',
  '\u0000a',
  'a\u0000',
  '\ud800',
  'a\udfff',
  '\u202e',
  '😀'.repeat(300),
  '\u00e9',
  '\n',
  '\ufeff',
  '٣',
];
const WORDS = [
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'true',
  'on',
  '0',
  '-1',
  '1.5',
];
const DATES = [
  '2026-13-45',
  '1e400',
  '-62135596800',
  '253402300800',
  '8.64e15',
  '0x10',
  '1,5',
  ' 5 ',
  '+5',
  '5.',
  '.5',
];
const URLS = [
  'http://',
  'http://[::1',
  'javascript:1',
  'file:///etc/passwd',
  'http://a b',
  '@',
  'a@b@c',
  'a@b\r\nBcc: c@d',
];
export const TEXTS = [...LONG, ...SQL, ...EXPRESSIONS, ...ODD, ...WORDS, ...DATES, ...URLS];
const NUMBERS = [0, -0, -1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e21, 1e308, -1e308, 5e-324, 253402300800];
const STRUCTURES: unknown[] = [
  [],
  {},
  [[]],
  [{}],
  [null],
  ['', null],
  { length: 1e9 },
  { toString: 1, valueOf: null },
  { id: {} },
  { $gt: '' },
  Array.from({ length: 1_001 }, (_, index) => index),
  nested(30, (inner) => ({ inner })),
  nested(3_000, (inner) => [inner]),
  JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}}}'),
];

const hostileText = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...TEXTS) }, fc.string({ unit: 'binary' }));

/** A value that no field accepts. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(...NUMBERS, TOO_LARGE, TOO_DEEP, null, true, false),
  fc.constantFrom(...STRUCTURES),
  fc.integer(),
  fc.double(),
  fc.jsonValue(),
);

/** Values that have broken something, or might. */
export const WORST: unknown[] = [
  TOO_DEEP,
  TOO_LARGE,
  -1e308,
  '\ud800',
  '\u0000',
  'x'.repeat(70_000),
  { toString: 1 },
  [{}],
  {},
];

/** The JSON of a body, with the numbers and depths that JSON.stringify cannot write. */
export function toText(body: unknown): string {
  return (JSON.stringify(body) ?? '').replaceAll(`"${TOO_LARGE}"`, '1e309').replaceAll(`"${TOO_DEEP}"`, DEEP);
}

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}
