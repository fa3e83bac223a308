import fc from 'fast-check';
import { type ApiDocument, bodySchema, composeExample, type Operation } from './api-document';
import { type Estate, kindInPath, withIds } from './estate';
import { hostileValue, SQL, TEXTS, toText, WORST } from './hostile-values';

/** A request on the wire, made to break things. */
export interface HostileRequest {
  method: string;
  path: string;
  type: string;
  body: string;
}

const hostileForms = fc.constantFrom(
  '=',
  '&&&',
  '[]=1',
  '[a]=1',
  'sensor=5&sensor[name]=x',
  'sensor[name][]=1&sensor[name][]=2',
  'sensor[name][deep][deeper]=1',
  `a${'[b]'.repeat(5_000)}=1`,
  'a[100000000]=1&a[-1]=2',
  'sensor[__proto__][x]=1&__proto__[y]=2&constructor[prototype][z]=3',
  '%zz=%zz&%00=%00&%ED%A0%80=%ED%A0%80',
  'sensor[hasOwnProperty]=1&sensor[toString]=2',
  `${'a[]=1&'.repeat(5_000)}b=2`,
);

const hostileTexts = fc.constantFrom(
  '',
  '{',
  '[]',
  'null',
  '5',
  '1e309',
  '"text"',
  '{"a":1}{"b":2}',
  '['.repeat(100_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  '{"sensor":{"name":"\\ud800"}}',
  '\u0000',
);

const hostileSegment = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '0',
      '-1',
      '1.5',
      '1e3',
      '99999999999999999999',
      '2147483648',
      '9007199254740993',
      '%20',
    ),
  },
  fc.constantFrom(
    '%00',
    '%zz',
    '%ED%A0%80',
    '..',
    '..%2f..',
    '%2f',
    '__proto__',
    'constructor',
    '%F0%9F%98%80',
    '*',
    ':id',
  ),
  fc.constantFrom(...SQL, 'x'.repeat(2_000)).map((text) => encodeURIComponent(text)),
);

/** Requests of one operation, from almost valid ones to nonsense. Ids are mostly those of the estate. */
export function hostileRequests(
  operation: Operation,
  document: ApiDocument,
  estate: Estate,
): fc.Arbitrary<HostileRequest> {
  return fc
    .record({
      path: pathOf(operation, estate),
      query: queryOf(operation),
      content: contentOf(operation, document, estate),
    })
    .map(({ path, query, content }) => ({
      method: operation.method.toUpperCase(),
      path: query ? `${path}?${query}` : path,
      ...content,
    }));
}

/**
 * The valid request of an operation with some of the worst values in each place of its body, one at a time; the values
 * depend on the place and the seed.
 */
export function worstBodies(operation: Operation, document: ApiDocument, { ids }: Estate, seed: number): string[] {
  const good = goodBody(operation, document, ids);
  return placesIn(good).flatMap((place, index) =>
    [0, 1, 2].map((more) => toText(replaced(good, place, WORST[(seed + index * 3 + more) % WORST.length]))),
  );
}

function goodBody(operation: Operation, document: ApiDocument, ids: Estate['ids']): unknown {
  const schema = bodySchema(operation);
  return schema && withIds(composeExample(schema, document), (kind) => ids[kind]);
}

function pathOf({ path }: Operation, { ids }: Estate): fc.Arbitrary<string> {
  const segments = path.split('/').map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) return fc.constant(segment);
    if (name !== 'id' && !name.endsWith('_id')) return hostileSegment;
    return fc.oneof({ weight: 3, arbitrary: fc.constant(ids[kindInPath(path, name)]) }, hostileSegment);
  });
  return fc.tuple(...segments).map((parts) => parts.join('/'));
}

function queryOf({ parameters = [] }: Operation): fc.Arbitrary<string> {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const name = fc.constantFrom(...names, 'unknown', 'session', '_METHOD');
  const form = fc.constantFrom('', '[]', '[a]', '[0][b]', '[__proto__]', '[');
  const value = fc.oneof(
    fc.constantFrom(...TEXTS.filter((text) => text.length < 3_000)).map(escaped),
    fc.constantFrom('%zz', '%00', '%ED%A0%80', '1', '0', ''),
  );
  const pair = fc.tuple(name, form, value).map(([key, brackets, text]) => `${key}${brackets}=${text}`);
  return fc.array(pair, { maxLength: 3 }).map((pairs) => pairs.join('&'));
}

function contentOf(
  operation: Operation,
  document: ApiDocument,
  estate: Estate,
): fc.Arbitrary<{ type: string; body: string }> {
  const good = goodBody(operation, document, estate.ids);
  const json = 'application/json';
  if (good === undefined) return fc.constantFrom({ type: json, body: '' }, { type: json, body: '{"a":1}' });
  const places = placesIn(good);
  const change = fc.tuple(fc.constantFrom(...places), hostileValue);
  const changed = fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce<unknown>((body, [place, value]) => replaced(body, place, value), good));
  return fc.oneof(
    { weight: 6, arbitrary: changed.map((body) => ({ type: json, body: toText(body) })) },
    hostileValue.map((body) => ({ type: json, body: toText(body) })),
    hostileTexts.map((body) => ({ type: json, body })),
    hostileForms.map((body) => ({ type: 'application/x-www-form-urlencoded', body })),
  );
}

/** The paths to every value inside of a body, without the body itself. */
function placesIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...placesIn(inner, [...path, key])]);
}

function replaced(body: unknown, [key = '', ...rest]: string[], value: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const inner = rest.length === 0 ? value : replaced(Reflect.get(body, key), rest, value);
  if (Array.isArray(body)) return body.map((item, index) => (String(index) === key ? inner : item));
  return { ...body, [key]: inner };
}

function escaped(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''));
}
