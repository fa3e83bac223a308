import assert from 'node:assert/strict';
import { Point } from '@influxdata/influxdb-client';
import fc from 'fast-check';
import { readTextInLines } from '../../../../src/edge/bytes-as-text';
import { LineReader, type Precision, type ReadLines } from '../../../../src/gateways/protocols/line-protocol';

const AT_ONCE = { lines: 2_000, characters: 500_000 };
const MILLISECOND = 1_795_229_544_125;

const NOW_MS = Date.UTC(2026, 10, 28, 12);
const DAY_MS = 86_400_000;

function read(text: string, precision: Precision = 'ns'): ReadLines {
  const lines: ReadLines = { points: [], wrong: [] };
  const reader = new LineReader({ text, broken: new Map() }, precision, NOW_MS);
  while (!reader.isAtEnd) reader.read(AT_ONCE, lines);
  return lines;
}

function readPoint(text: string, precision?: Precision) {
  const { points, wrong } = read(text, precision);
  assert.deepEqual([points.length, wrong], [1, []]);
  const [point] = points;
  return { ...point, name: point?.series.name, title: point?.series.title, tags: point?.series.tags };
}

const whyWrong = (text: string, precision?: Precision) =>
  read(text, precision).wrong.map(({ line, why }) => `${line} ${why}`);

// It writes -0 as 0.
// Names and values of tags cannot end with a backslash in this format, and clients write control characters as two.
const name = fc
  .string({ unit: fc.constantFrom(...'ab,= "\\é😀#:'), minLength: 1, maxLength: 12 })
  .filter((text) => /^[^\s#]/.test(text) && !text.endsWith('\\'));
const text = fc.string({ unit: fc.constantFrom(...'ab,= "\\é😀\n\t'), maxLength: 20 });
const field = fc.oneof(
  fc.record({
    kind: fc.constant('float'),
    value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  }),
  fc.record({ kind: fc.constant('integer'), value: fc.integer() }),
  fc.record({ kind: fc.constant('boolean'), value: fc.boolean() }),
  fc.record({ kind: fc.constant('text'), value: text }),
);
type Field = typeof field extends fc.Arbitrary<infer T> ? T : never;
const point = fc.record({
  measurement: name,
  tags: fc.uniqueArray(fc.tuple(name, name), { selector: ([tag]) => tag, maxLength: 4 }),
  fields: fc.uniqueArray(fc.tuple(name, field), { selector: ([one]) => one, minLength: 1, maxLength: 5 }),
  ns: fc.bigInt({ min: 978_307_200_000_000_000n, max: BigInt(NOW_MS) * 1_000_000n }),
});

/** A line as the client of InfluxData writes it. */
function written({ measurement, tags, fields, ns }: typeof point extends fc.Arbitrary<infer T> ? T : never): string {
  const line = new Point(measurement).timestamp(String(ns));
  for (const [tag, value] of tags) line.tag(tag, value);
  for (const [one, given] of fields) addField(line, one, given);
  return line.toLineProtocol() ?? '';
}

function addField(line: Point, one: string, { kind, value }: Field): void {
  if (kind === 'float') line.floatField(one, value);
  else if (kind === 'integer') line.intField(one, value);
  else if (kind === 'boolean') line.booleanField(one, value);
  else line.stringField(one, value);
}

describe('lines of InfluxDB', () => {
  it('refuses an integer with decimals', () => {
    assert.match(String(whyWrong('weather v=1.5i')), /^1 has "?1\.5i"? as "?v"?, which is no number/);
    assert.match(String(whyWrong('weather v=1e3u')), /which is no number/);
  });

  it('counts the bytes of a text, not its characters', () => {
    const euros = (bytes: number) => `weather v="${'€'.repeat(bytes / 3)}"`;
    assert.deepEqual(whyWrong(euros(30_000)), []);
    assert.match(String(whyWrong(euros(66_000))), /more than \d+ bytes/);
  });

  it('are read as the client of InfluxData has written them', () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 5 }), (given) => {
        const { points, wrong } = read(given.map(written).join('\n'));
        assert.deepEqual(wrong, []);
        assert.equal(points.length, given.length);
        for (const [index, { measurement, tags, fields, ns }] of given.entries()) {
          const { series, value, dateMs, belowNs } = points[index] ?? assert.fail();
          assert.deepEqual([series.title, { ...series.tags }], [measurement, Object.fromEntries(tags)]);
          assert.deepEqual([dateMs, belowNs], [Number(ns / 1_000_000n), Number(ns % 1_000_000n)]);
          const only = fields.length === 1 && fields[0]?.[0] === 'value' ? fields[0][1].value : undefined;
          if (typeof only === 'number') assert.equal(Number(value), only);
          else if (only !== undefined) assert.equal(value, String(only));
          else assert.deepEqual(JSON.parse(value), Object.fromEntries(fields.map(([one, { value: v }]) => [one, v])));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('have different names for different tags, which are read as the same tags again', () => {
    fc.assert(
      fc.property(point, point, (one, other) => {
        const [a, b] = [one, other].map((given) => readPoint(written(given)));
        const again = readPoint(`${a?.name} value=1`);
        assert.deepEqual([again.name, again.title, again.tags], [a?.name, a?.title, a?.tags]);
        if (a?.name === b?.name) assert.deepEqual([a?.title, a?.tags], [b?.title, b?.tags]);
      }),
      { numRuns: 300 },
    );
  });

  it('are all read but a mutilated one, which is named', () => {
    const plain = point.filter((given) =>
      given.fields.every(([, { value }]) => typeof value !== 'string' || /^[^\s,]/.test(value)),
    );
    const mutilated = fc.record({
      line: point.map((given) => written(given).replaceAll('\n', ' ')),
      at: fc.nat(),
      removed: fc.nat(3),
      added: fc.string({ unit: fc.constantFrom(...'a,= "\\\t1'), maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 4 }), fc.array(plain, { maxLength: 4 }), mutilated, (...given) => {
        const [before, after, { line, at, removed, added }] = given;
        const place = at % (line.length + 1);
        const broken = line.slice(0, place) + added + line.slice(place + removed);
        const [first, last] = [before.map(written), after.map(written)];
        const { points, wrong } = read([...first, broken, ...last].join('\n'));
        const alone = read(broken);
        const row = first.join('\n').split('\n').length + (first.length > 0 ? 1 : 0);
        assert.deepEqual(
          wrong.map(({ line: number }) => number),
          alone.wrong.map(() => row),
        );
        assert.deepEqual(
          points.map(({ value }) => value),
          [
            ...first.flatMap((one) => read(one).points),
            ...alone.points,
            ...last.flatMap((one) => read(one).points),
          ].map(({ value }) => value),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('never fail as a whole, and each wrong one has the number of a row', () => {
    const any = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'ab,= "\\#1i.-e\n\r\t\0é'), maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 100 }),
    );
    fc.assert(
      fc.property(any, (given) => {
        const rows = given.split('\n').length;
        const { wrong } = read(given);
        for (const [index, { line }] of wrong.entries()) {
          assert.ok(line >= 1 && line <= rows && line > (wrong[index - 1]?.line ?? 0), `${line} of ${rows}`);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('end with their row, unless a text goes on', () => {
    const { points, wrong } = read(
      'a v="one\n\ntwo" 1795229544000000000\n# "comment\nb v=1\r\n\r\nc v="never closed\nd v=2\ne v=" \\',
    );
    assert.deepEqual(
      points.map(({ value }) => value),
      ['{"v":"one\\n\\ntwo"}', '{"v":1}', '{"v":2}'],
    );
    assert.deepEqual(
      wrong.map(({ line }) => line),
      [7, 9],
    );
  });

  it('keep the digits of numbers, and may have all kinds of values', () => {
    assert.equal(
      readPoint('m a=0.10,b=9007199254740993i,c=12u,d=.5,e=+1.,f=T,g=False,h=1e3 1795229544000000000').value,
      '{"a":0.10,"b":9007199254740993,"c":12,"d":0.5,"e":1,"f":true,"g":false,"h":1e3}',
    );
    assert.equal(readPoint('m a=1,b=2,a=3').value, '{"a":3,"b":2}');
  });

  it('are wrong where their bytes are, also in a text of several rows', () => {
    const bytes = Buffer.concat([
      Buffer.from('a,r=K\u00fche v=1\na,r=M'),
      Buffer.from([0xfc]),
      Buffer.from('ll v=2\nb v=3\nc v="one\n'),
      Buffer.from([0xc3]),
      Buffer.from('\ntwo"\nd v=4'),
    ]);
    const lines: ReadLines = { points: [], wrong: [] };
    new LineReader(readTextInLines(bytes, 'utf-8'), 'ns', NOW_MS).read({ lines: 100, characters: 1_000 }, lines);
    assert.deepEqual(
      lines.points.map(({ series, value }) => `${series.name} ${value}`),
      ['a,r=K\u00fche {"v":1}', 'b {"v":3}', 'd {"v":4}'],
    );
    assert.deepEqual(lines.wrong[0], { line: 2, why: 'is not valid utf-8' });
    assert.deepEqual(
      lines.wrong.map(({ line }) => line),
      [2, 4, 5, 6],
    );
  });

  it('say why they are wrong', () => {
    assert.deepEqual(
      [
        ...[
          'm',
          'm v',
          'm v=',
          'm v=1,',
          'm v=1,,w=2',
          'm ,v=1',
          'm v=nan',
          'm v=1ii',
          'm v=1e999',
          'm v="a"b',
          'm v="',
        ],
        ...[',a=1 v=1', 'm,a v=1', 'm,=1 v=1', 'm,a= v=1', 'm,a=1,a=2 v=1', 'm __proto__=1', 'm v=1 soon', 'm v=1 -1'],
        ...['m v=1 1 1', 'm v=1 -', 'm v=1 99999999999999999999999'],
      ].map((line) => whyWrong(line).length),
      Array.from({ length: 22 }, () => 1),
    );
    assert.deepEqual(whyWrong('ok v=1\nm v=1 99999999999999', 's'), [
      '2 has the timestamp "99999999999999", which is after 9999, not from 2001 to a day from now: check the clock and the precision',
    ]);
  });

  it('have up to 400,000 characters, and the others of the text are read', () => {
    const long = `m v=1${' '.repeat(399_995)}`;
    assert.deepEqual(whyWrong(`${long}\n${long} \n${long} x\nm v=1`), [
      '2 has 400001 characters, more than the 400000 that a line may have',
      '3 has 400002 characters, more than the 400000 that a line may have',
    ]);
    assert.match(whyWrong(`m v="\n${'a'.repeat(400_000)}"\nm v=1`)[0] ?? '', /^1 .* without an end within 400000/);
  });

  it('are dated in every precision', () => {
    const dates: [string, Precision, number, number][] = [
      [`${MILLISECOND}999999`, 'ns', MILLISECOND, 999_999],
      [`${MILLISECOND}999`, 'u', MILLISECOND, 999_000],
      [`${MILLISECOND}`, 'ms', MILLISECOND, 0],
      ['1795229544', 's', 1_795_229_544_000, 0],
      ['29920492', 'm', 1_795_229_520_000, 0],
      ['498674', 'h', 1_795_226_400_000, 0],
    ];
    for (const [date, precision, dateMs, belowNs] of dates) {
      const read = readPoint(`m v=1 ${date}`, precision);
      assert.deepEqual([read.dateMs, read.belowNs], [dateMs, belowNs], precision);
    }
    assert.equal(readPoint('m v=1').dateMs, undefined);
  });

  it('are wrong before 2001 and more than a day ahead, and the precision that may be meant is named', () => {
    const rule = 'not from 2001 to a day from now';
    const is = '2026-11-21T02:52:24.000Z';
    const dates: [string, Precision, string][] = [
      ['1795229544', 'ns', `1970-01-01T00:00:01.795Z, ${rule}: it is ${is} with precision=s`],
      ['1795229544000', 's', `after 9999, ${rule}: it is ${is} with precision=ms`],
      ['1795229544000000', 'ms', `after 9999, ${rule}: it is ${is} with precision=us`],
      ['1795229544000000000', 's', `after 9999, ${rule}: it is ${is} with precision=ns`],
      ['29920493', 's', `1970-12-13T07:14:53.000Z, ${rule}: it is 2026-11-21T02:53:00.000Z with precision=m`],
      ['0', 's', `1970-01-01T00:00:00.000Z, ${rule}: check the clock and the precision`],
      ['-1', 's', `1969-12-31T23:59:59.000Z, ${rule}: check the clock and the precision`],
      [String(Date.UTC(2000, 11, 31)), 'ms', `2000-12-31T00:00:00.000Z, ${rule}: check the clock and the precision`],
      [String(NOW_MS + DAY_MS + 1), 'ms', `2026-11-29T12:00:00.001Z, ${rule}: check the clock and the precision`],
    ];
    for (const [date, precision, why] of dates) {
      const { points, wrong } = read(`a v=1 ${date}\nb v=1`, precision);
      assert.deepEqual(wrong, [{ line: 1, why: `has the timestamp "${date}", which is ${why}` }]);
      assert.equal(points.length, 1);
    }
    assert.equal(readPoint(`m v=1 ${NOW_MS + DAY_MS}`, 'ms').dateMs, NOW_MS + DAY_MS);
    assert.equal(readPoint(`m v=1 ${Date.UTC(2001, 0, 1)}`, 'ms').dateMs, Date.UTC(2001, 0, 1));
  });
});
