import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Built,
  type Condition,
  NOTHING_BUILT,
  numberOf,
  read,
  readLabel,
  variableOf,
  withKind,
  write,
  writeLabel,
} from '../../../console/src/pages/trigger/built-rule';
import { compileExpression } from '../../../src/language/expression';

const NONE: Condition = { expression: '', inactivity: '', hold: '', resolveExpression: '', keepFiringFor: '' };

describe('the rule builder', () => {
  const cases: [Partial<Built>, Partial<Condition>][] = [
    [{ kind: 'above', bound: '30' }, { expression: 'sensor_data_value > 30' }],
    [
      { kind: 'above', bound: '30', end: '28', hold: '300', keepFiringFor: '600' },
      {
        expression: 'sensor_data_value > 30',
        resolveExpression: 'sensor_data_value < 28',
        hold: '300',
        keepFiringFor: '600',
      },
    ],
    [
      { kind: 'below', bound: '-5.5', end: '-3', variable: 'sensor_data_value.air_temp' },
      { expression: 'sensor_data_value.air_temp < -5.5', resolveExpression: 'sensor_data_value.air_temp > -3' },
    ],
    [
      { kind: 'outside', bound: '2', upper: '8', end: '3', upperEnd: '7' },
      {
        expression: 'sensor_data_value < 2 or sensor_data_value > 8',
        resolveExpression: 'sensor_data_value > 3 and sensor_data_value < 7',
      },
    ],
    [
      { kind: 'changes-by', bound: '5', variable: 'sensor_data_value["a-b"]' },
      { expression: 'abs(sensor_data_value["a-b"] - last_sensor_data_value["a-b"]) >= 5' },
    ],
    [
      { kind: 'unchanged-for', window: '7200' },
      { expression: 'changes(sensor_data_value, 7200) == 0 and count_over_time(sensor_data_value, 7200) > 1' },
    ],
    [
      { kind: 'average-over', window: '600', bound: '30', end: '28' },
      {
        expression: 'avg_over_time(sensor_data_value, 600) > 30',
        resolveExpression: 'avg_over_time(sensor_data_value, 600) < 28',
      },
    ],
    [
      { kind: 'above', bound: 'label("limit", 8)', end: 'label("shop:limit")' },
      {
        expression: 'sensor_data_value > label("limit", 8)',
        resolveExpression: 'sensor_data_value < label("shop:limit")',
      },
    ],
    [
      { kind: 'outside', bound: '-20', upper: 'label("limit", -1.5e1)' },
      { expression: 'sensor_data_value < -20 or sensor_data_value > label("limit", -1.5e1)' },
    ],
    [
      { kind: 'in-zone', zone: 'yard 7', hold: '60' },
      { expression: 'in_zone("yard 7")', hold: '60' },
    ],
    [{ kind: 'outside-zone', zone: "driver's yard" }, { expression: `not in_zone("driver's yard")` }],
    [{ kind: 'changes-zone' }, { expression: 'zone() != last_zone()' }],
    [{ kind: 'no-data', inactivity: '3600' }, { inactivity: '3600' }],
  ];
  for (const [fields, condition] of cases) {
    it(`writes and reads "${fields.kind}", ${Object.values(condition).join(', ')}`, () => {
      const built = { ...NOTHING_BUILT, ...fields };
      assert.deepEqual(write(built), { ...NONE, ...condition });
      assert.deepEqual(read({ ...NONE, ...condition }), built);
    });
  }

  it('keeps what it would not write as an own expression', () => {
    const own: Partial<Condition>[] = [
      { expression: 'sensor_data_value>30' },
      { expression: 'sensor_data_value > 30.' },
      { expression: 'sensor_data_value > 30 and true' },
      { expression: 'sensor_data_value.a < 2 or sensor_data_value.b > 8' },
      { expression: 'sensor_data_value > 30', resolveExpression: 'sensor_data_value <= 28' },
      { expression: 'sensor_data_value.a > 30', resolveExpression: 'sensor_data_value.b < 28' },
      { expression: 'changes(sensor_data_value, 60) == 0' },
      {
        expression: 'changes(sensor_data_value, 60) == 0 and count_over_time(sensor_data_value, 60) > 1',
        resolveExpression: 'sensor_data_value < 28',
      },
      { expression: 'changes(sensor_data_value, 0) == 0 and count_over_time(sensor_data_value, 0) > 1' },
      { expression: 'changes(sensor_data_value, 60) == 0 and count_over_time(sensor_data_value, 600) > 1' },
      { inactivity: '600', hold: '60' },
      { resolveExpression: 'sensor_data_value < 28' },
      { expression: 'sensor_data_value > label("limit",8)' },
      { expression: 'sensor_data_value > label("limit", "8")' },
      { expression: 'sensor_data_value > label("limit") + 1' },
      { expression: 'sensor_data_value > label("a \\"b\\"", 8)' },
      { expression: 'label("limit", 8) > 8' },
    ];
    for (const condition of own) {
      const built = read({ ...NONE, ...condition });
      assert.equal(built.kind, 'own', JSON.stringify(condition));
      assert.deepEqual(write(built), { ...NONE, ...condition });
    }
  });

  it('writes no expression with a field that is empty or no number', () => {
    assert.equal(write({ ...NOTHING_BUILT, kind: 'above', bound: '' }).expression, '');
    assert.equal(write({ ...NOTHING_BUILT, kind: 'above', bound: '1 or true' }).expression, '');
    assert.equal(write({ ...NOTHING_BUILT, kind: 'outside', bound: '1', upper: '' }).expression, '');
    assert.equal(write({ ...NOTHING_BUILT, kind: 'unchanged-for', window: '' }).expression, '');
    assert.equal(write({ ...NOTHING_BUILT, kind: 'in-zone', zone: '' }).expression, '');
    assert.equal(write({ ...NOTHING_BUILT, kind: 'in-zone', zone: 'a" or true' }).expression, '');
    for (const name of ['', ' ', 'shop:', 'shop: ']) {
      assert.equal(write({ ...NOTHING_BUILT, bound: writeLabel({ name, missing: '8' }) }).expression, '', name);
    }
  });

  it('reads a label that it has written, also one that is typed only in part', () => {
    for (const label of [
      { name: '', missing: '' },
      { name: 'shop:limit', missing: '-8.5' },
    ]) {
      assert.deepEqual(readLabel(writeLabel(label)), label);
    }
    assert.equal(writeLabel({ name: 'a"b\\c', missing: '' }), 'label("abc")');
    assert.equal(readLabel('8'), undefined);
  });

  it('knows the number of a label on a sensor', () => {
    const label = 'label("limit", 8)';
    const cases: [bound: string, labels: Record<string, unknown> | undefined, number][] = [
      ['30', undefined, 30],
      [label, { limit: '12.5' }, 12.5],
      [label, { limit: 0 }, 0],
      [label, {}, 8],
      [label, undefined, Number.NaN],
      [label, { limit: 'off' }, Number.NaN],
      [label, { limit: true }, Number.NaN],
      [label, { limit: '0x10' }, Number.NaN],
      [label, { limit: ' +.5e1 ' }, 5],
      [label, { limit: '' }, Number.NaN],
      ['label("shop:limit")', { limit: 3 }, Number.NaN],
    ];
    for (const [bound, labels, expected] of cases)
      assert.equal(numberOf(bound, labels), expected, `${bound} ${labels}`);
  });

  it('begins an own expression with what the fields have written', () => {
    const own = withKind({ ...NOTHING_BUILT, bound: '30', end: '28' }, 'own');
    assert.deepEqual([own.expression, own.resolveExpression], ['sensor_data_value > 30', 'sensor_data_value < 28']);
  });

  it('keeps the bound for another kind, and not the end', () => {
    const below = withKind({ ...NOTHING_BUILT, bound: '30', end: '28' }, 'below');
    assert.deepEqual(below, { ...NOTHING_BUILT, kind: 'below', bound: '30' });
  });

  it('reads nothing but the condition of a rule', () => {
    const rule = { ...NONE, expression: 'sensor_data_value > 30', name: 'too warm', repeat: '0' };
    assert.deepEqual(read(rule), { ...NOTHING_BUILT, bound: '30' });
    assert.deepEqual(read({ ...rule, expression: 'true' }), { ...NOTHING_BUILT, kind: 'own', expression: 'true' });
  });

  it('names the variable of a field', () => {
    assert.equal(variableOf(''), 'sensor_data_value');
    assert.equal(variableOf('weather.wind speed'), 'sensor_data_value.weather.wind_speed');
  });

  it('reads what it has written', () => {
    fc.assert(fc.property(filledFields(), (built) => assert.deepEqual(read(write(built)), built)));
  });

  it('changes no rule by reading and writing it', () => {
    fc.assert(
      fc.property(conditions(), (condition) => assert.deepEqual(write(read(condition)), condition)),
      {
        numRuns: 1_000,
      },
    );
  });

  it('writes expressions of the language', () => {
    const known = filledFields().filter(({ kind }) => kind !== 'own');
    fc.assert(
      fc.property(known, (built) => {
        const { expression, resolveExpression } = write(built);
        for (const text of [expression, resolveExpression].filter(Boolean)) assert.ok(compileExpression(text).ok, text);
      }),
    );
  });
});

const number = () =>
  fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => String(Object.is(one, -0) ? 0 : one)),
    fc.constantFrom('.5', '-.5', '1e3', '007', '1.50'),
  );
const bound = () =>
  fc.oneof(
    number(),
    fc
      .record({ name: fc.constantFrom('limit', 'shop:limit', '::', 'a b', '::x', "it's"), missing: optional(number()) })
      .map(writeLabel),
  );
const seconds = () => fc.integer({ min: 1, max: 86_400 }).map(String);
const optional = (text: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), text);
const variable = () =>
  fc.constantFrom('sensor_data_value', 'sensor_data_value.a', 'sensor_data_value.a.b_1', 'sensor_data_value["x-y"].z');

/** Whole fields of every kind; an own expression is one that no other kind writes. */
function filledFields(): fc.Arbitrary<Built> {
  const shared = { variable: variable(), inactivity: optional(seconds()), hold: optional(seconds()) };
  const lasting = { ...shared, keepFiringFor: optional(seconds()) };
  const located = { ...lasting, variable: fc.constant('sensor_data_value') };
  const kinds: Partial<Record<keyof Built, fc.Arbitrary<string>>>[] = [
    { ...lasting, kind: fc.constantFrom('above', 'below'), bound: bound(), end: optional(bound()) },
    { ...lasting, kind: fc.constant('outside'), bound: bound(), upper: bound() },
    { ...lasting, kind: fc.constant('outside'), bound: bound(), upper: bound(), end: bound(), upperEnd: bound() },
    { ...lasting, kind: fc.constant('changes-by'), bound: bound() },
    { ...lasting, kind: fc.constant('unchanged-for'), window: seconds() },
    { ...lasting, kind: fc.constant('average-over'), window: seconds(), bound: bound(), end: optional(bound()) },
    {
      ...located,
      kind: fc.constantFrom('in-zone', 'outside-zone'),
      zone: fc.constantFrom('yard', 'a b', "it's", '$&'),
    },
    { ...located, kind: fc.constant('changes-zone') },
    { kind: fc.constant('no-data'), inactivity: seconds() },
    { kind: fc.constant('own'), expression: fc.constantFrom('true', 'sensor_data_value == "open"') },
  ];
  return fc.oneof(...kinds.map((kind) => fc.record(kind).map((fields) => ({ ...NOTHING_BUILT, ...fields }) as Built)));
}

/** Any rule: written ones, written ones with a change, and texts. */
function conditions(): fc.Arbitrary<Condition> {
  const written = filledFields().map(write);
  const mixed = fc.tuple(written, written).map(([one, other]) => ({ ...one, resolveExpression: other.expression }));
  const spoilt = fc
    .tuple(written, fc.nat(), fc.constantFrom('', ' ', '(', '.', '0', 'a', '\n'))
    .map(([one, seed, text]) => {
      const at = seed % (one.expression.length + 1);
      return { ...one, expression: one.expression.slice(0, at) + text + one.expression.slice(at + 1) };
    });
  const text = fc.string();
  const texts = fc.record(
    {
      expression: text,
      inactivity: text,
      hold: text,
      resolveExpression: text,
      keepFiringFor: text,
    },
    { noNullPrototype: true },
  );
  return fc.oneof(written, mixed, spoilt, texts);
}
