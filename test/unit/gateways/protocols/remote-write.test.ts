import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRemoteWriteV2 } from '../../../../src/gateways/protocols/remote-write';
import { MessageTooLarge, UnreadableMessage } from '../../../../src/gateways/protocols/unreadable';
import {
  block,
  field,
  label,
  readRemoteWrite,
  remoteWriteSteps,
  sample,
  sentBody,
  timeseries,
  varint,
} from '../../../support/remote-write-bytes';

const NOW = 1_764_172_800_000;
const STALE = Buffer.from('020000000000f07f', 'hex');
const named = (name: string, ...parts: Buffer[]) => timeseries(label('__name__', name), ...parts);
const valuesOf = (body: Uint8Array) => readRemoteWrite(body).points.map(({ value }) => value);
const problemsOf = (...parts: Buffer[]) => {
  const { points, problems } = readRemoteWrite(block(...parts));
  return { count: points.length, problems };
};

describe('remote write', () => {
  it('reads the bytes of the specification', () => {
    const hex = [
      ...['30', 'bc'], // 48 bytes, all of them in one literal
      ...['0a2e', '0a0e', '0a085f5f6e616d655f5f', '12027570', '0a0a', '0a036a6f62', '12036e6f64'],
      ...['1210', '09000000000000f03f', '1080d0eab6b733'],
    ];
    const body = Buffer.from(hex.join(''), 'hex');
    assert.deepEqual(readRemoteWrite(body), {
      points: [
        {
          series: {
            namespace: 'prometheus',
            name: 'up{job="nod"}',
            title: 'up{job="nod"}',
            source: 'prometheus',
            dataType: 'float',
            tags: { job: 'nod' },
            units: {},
          },
          value: '1',
          dateMs: 1_767_225_600_000,
        },
      ],
      problems: [],
    });
  });

  it('reads what another sender writes: all samples of a series share one object', async () => {
    const body = await sentBody([
      {
        labels: { __name__: 'room_temperature_celsius', room: 'the "cellar"\\\n', floor: '-1' },
        samples: [
          { value: 21.5, timestamp: NOW },
          { value: -0.1, timestamp: NOW + 1 },
        ],
      },
      { labels: { __name__: 'up' }, samples: [{ value: 1, timestamp: NOW }] },
    ]);
    const { points, problems } = readRemoteWrite(body);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      points.map(({ series, value, dateMs }) => [series.name, value, dateMs]),
      [
        ['room_temperature_celsius{floor="-1",room="the \\"cellar\\"\\\\\\n"}', '21.5', NOW],
        ['room_temperature_celsius{floor="-1",room="the \\"cellar\\"\\\\\\n"}', '-0.1', NOW + 1],
        ['up', '1', NOW],
      ],
    );
    assert.equal(points[0]?.series, points[1]?.series);
    assert.deepEqual(points[0]?.series.tags, { floor: '-1', room: 'the "cellar"\\\n' });
    assert.deepEqual(points[0]?.series.units, { value: '°C' });
  });

  it('keeps every label, number and date that a sender can write', async () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
    const samples = fc.array(
      fc.record({ value: fc.double({ noNaN: true, noDefaultInfinity: true }), timestamp: fc.integer({ min: 1 }) }),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(text, text, { minKeys: 1, maxKeys: 5 }), samples, async (labels, given) => {
        const { points, problems } = readRemoteWrite(
          await sentBody([{ labels: { __name__: 'm', ...labels }, samples: given }]),
        );
        assert.deepEqual(problems, []);
        const { __name__, ...tags } = labels;
        assert.deepEqual({ ...points[0]?.series.tags }, { ...tags });
        assert.deepEqual(
          points.map(({ value, dateMs }) => ({ value: Number(value), timestamp: dateMs })),
          given.map(({ value, timestamp }) => ({ value: value + 0, timestamp })),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('leaves out staleness markers and all other values that are not finite', () => {
    const values = [STALE, Number.NaN, 1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    assert.deepEqual(valuesOf(block(named('a', ...values.map((value) => sample(value, NOW))))), ['1']);
    assert.deepEqual(problemsOf(named('a', sample(STALE, NOW)), timeseries(sample(STALE, NOW))), {
      count: 0,
      problems: [],
    });
  });

  it('leaves out histograms, exemplars, metadata and fields that it does not know', () => {
    const exemplar = field(3, label('trace_id', 'x'), sample(9, NOW));
    const histogram = field(4, Buffer.from([0x08, 5, 0x11]), Buffer.alloc(8));
    const unknown = Buffer.concat([
      Buffer.from([0x98, 0x06]),
      varint(-1n),
      Buffer.from([0x9d, 0x06, 1, 2, 3, 4]),
      Buffer.from([0xa1, 0x06, 1, 2, 3, 4, 5, 6, 7, 8]),
      field(103, 'anything'),
    ]);
    const metadata = field(3, field(2, 'up'), field(4, 'Whether it is up'));
    const body = block(
      metadata,
      unknown,
      named('up', exemplar, histogram, unknown, sample(1, NOW)),
      named('h', histogram),
    );
    assert.deepEqual(valuesOf(body), ['1']);
    assert.deepEqual(valuesOf(block(metadata)), []);
    assert.deepEqual(valuesOf(block()), []);
  });

  it('prints values as JavaScript does', () => {
    const values = [0, -0, 0.1, 1e21, Number.MAX_VALUE, Number.MIN_VALUE, 123_456_789_012];
    assert.deepEqual(valuesOf(block(named('a', ...values.map((value) => sample(value, NOW))))), [
      ...['0', '0', '0.1', '1e+21', '1.7976931348623157e+308', '5e-324', '123456789012'],
    ]);
    const withoutFields = field(2);
    assert.deepEqual(
      readRemoteWrite(block(named('a', withoutFields))).points,
      readRemoteWrite(block(named('a', sample(0, 0)))).points,
    );
  });

  it('names series whose dates cannot be stored, and keeps their other points', () => {
    const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
    const dates = [-1, 0, LAST, LAST + 1, -(2n ** 63n), 2n ** 63n - 1n];
    assert.deepEqual(problemsOf(named('a', ...dates.map((date) => sample(1, date)))), {
      count: 2,
      problems: ['the series a has 4 samples before 1970 or after 9999'],
    });
  });

  it('names series that cannot be stored, at most ten of them', () => {
    const one = sample(1, NOW);
    const long = label('l', 'x'.repeat(2_000));
    assert.deepEqual(
      problemsOf(
        timeseries(one),
        timeseries(label('a', ''), one),
        named('a', label('', 'b'), one),
        named('a', label('b', '1'), label('b', '2'), one),
        named('a', long, one),
        named('kept', one),
      ),
      {
        count: 1,
        problems: [
          'the series {} has no labels',
          'the series {} has no labels',
          'the series a{""="b"} has a label without a name',
          'the series a{b="1",b="2"} has the label b twice',
          `the series a{l="${'x'.repeat(194)}… has a name of more than 2000 characters`,
        ],
      },
    );
    const many = problemsOf(...Array.from({ length: 12 }, () => timeseries(one)));
    assert.equal(many.problems.length, 11);
    assert.equal(many.problems[10], '2 more series have such problems');
    const labels = Array.from({ length: 3_000 }, (_, index) => label(`l${index}`, '1'));
    assert.match(
      problemsOf(named('a', ...labels, one)).problems[0] ?? '',
      /^the series a\{.* more than 2000 characters$/,
    );
  });

  it('refuses what exceeds its bounds before it reserves memory', () => {
    const content = Buffer.alloc(10 * 2 ** 20 + 1);
    assert.throws(() => readRemoteWrite(block(content)), {
      constructor: MessageTooLarge,
      message: 'the body has 10485761 bytes when uncompressed; at most 10485760 are read',
    });
    assert.throws(() => readRemoteWrite(Buffer.from('ffffffff0f00', 'hex')), MessageTooLarge);
    assert.throws(() => readRemoteWrite(Buffer.from('8080800500', 'hex')), {
      constructor: UnreadableMessage,
      message: 'the body is not a snappy block: it is too short for the length that it begins with',
    });
    const samples = (count: number) => Array.from({ length: count }, () => sample(1, NOW));
    assert.equal(valuesOf(block(named('a', ...samples(5_000)), named('b', ...samples(5_000)))).length, 10_000);
    const unnamed = Array.from({ length: 10_001 }, () => timeseries(sample(1, NOW)));
    assert.throws(() => readRemoteWrite(block(...unnamed)), MessageTooLarge);
    assert.throws(() => readRemoteWrite(block(named('a', ...samples(5_000)), named('b', ...samples(5_001)))), {
      constructor: MessageTooLarge,
      message: 'the body has more than 10000 samples, or series without samples',
    });
  });

  it('counts what holds no sample, so that no bytes are free', () => {
    const empty = (count: number) => Buffer.concat(Array.from({ length: count }, () => named('a')));
    assert.deepEqual(readRemoteWrite(block(empty(10_000))), { points: [], problems: [] });
    assert.throws(() => readRemoteWrite(block(empty(10_001))), {
      constructor: MessageTooLarge,
      message: 'the body has more than 10000 samples, or series without samples',
    });
    for (const nothing of [
      timeseries(Buffer.alloc(2_000_002, Buffer.from([0x0a, 0]))), // labels
      Buffer.alloc(2_000_002, Buffer.from([0x1a, 0])), // metadata
    ]) {
      assert.throws(() => readRemoteWrite(block(nothing)), {
        constructor: MessageTooLarge,
        message: 'the body has more than 1000000 fields',
      });
    }
    const names = field(1, Buffer.alloc(2_002, Buffer.from([0x0a, 0])));
    assert.throws(() => readRemoteWrite(block(timeseries(names))), {
      constructor: MessageTooLarge,
      message: 'a label or a sample has more than 1000 fields',
    });
  });

  it('takes steps, whatever it reads', () => {
    const labels = Array.from({ length: 60_000 }, () => label('a', ''));
    const steps = [...remoteWriteSteps(block(timeseries(...labels), ...labels.map(() => field(3, ''))))];
    assert.ok(steps.length >= 10, `${steps.length} steps`);
  });

  it('refuses a body that is no message, with its reason', () => {
    const series = named('a', sample(1, NOW));
    const refused: [Uint8Array, RegExp][] = [
      [Buffer.alloc(0), /cut off/],
      [Buffer.from('{"up":1}'), /not a snappy block/],
      // Sends some decoders into an endless loop: a literal with a length of minus five.
      [Buffer.from('04fcfaffffff0000', 'hex'), /not a snappy block/],
      [block(series.subarray(0, -1)), /cut off/],
      [block(Buffer.from([0x0b])), /unknown type 3/],
      [block(Buffer.from([0x02, 0])), /field without a number/],
      [block(varint(2n ** 64n - 1n)), /field without a number/],
      [block(Buffer.from([0x08]), Buffer.alloc(10, 0xff), Buffer.from([0])), /more than 64 bits/],
      [block(Buffer.from([0x08]), Buffer.alloc(9, 0xff), Buffer.from([2])), /more than 64 bits/],
      [block(Buffer.from([0x0a]), varint(-1n)), /cut off/],
      [block(timeseries(field(1, field(1, Buffer.from([0xff]))))), /not UTF-8/],
    ];
    for (const [body, message] of refused) {
      assert.throws(
        () => readRemoteWrite(body),
        (error: Error) => error instanceof UnreadableMessage && message.test(error.message),
      );
    }
  });

  it('throws nothing but UnreadableMessage, whatever the bytes are', () => {
    const valid = Buffer.concat([
      named('a', label('b', 'ü'), sample(1, NOW), sample(2, NOW + 1)),
      field(3, field(2, 'a')),
      named('c', sample(3, -1)),
    ]);
    const read = (body: Uint8Array) => {
      try {
        readRemoteWrite(body);
      } catch (error) {
        assert.ok(error instanceof UnreadableMessage, String(error));
      }
    };
    const changed = fc.tuple(fc.nat(valid.length - 1), fc.nat(255)).map(([at, byte]) => {
      const copy = Buffer.from(valid);
      copy[at] = byte;
      return copy;
    });
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), read));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => read(block(bytes))));
    fc.assert(
      fc.property(changed, (bytes) => read(block(bytes))),
      { numRuns: 1_000 },
    );
    const whole = block(valid);
    for (let end = 0; end < whole.length; end += 1) {
      assert.throws(() => readRemoteWrite(whole.subarray(0, end)), UnreadableMessage);
      read(Buffer.concat([whole.subarray(0, end), whole.subarray(end + 1)]));
    }
    for (let end = 0; end < valid.length; end += 1) read(block(valid.subarray(0, end)));
  });

  it('recognises version 2 by either of its headers', () => {
    const v2 = 'application/x-protobuf;proto=io.prometheus.write.v2.Request';
    assert.equal(isRemoteWriteV2({ 'content-type': v2, 'x-prometheus-remote-write-version': '2.0.0' }), true);
    assert.equal(
      isRemoteWriteV2({ 'content-type': 'Application/X-Protobuf; proto="io.prometheus.write.v2.Request"' }),
      true,
    );
    assert.equal(isRemoteWriteV2({ 'x-prometheus-remote-write-version': '2.0.0' }), true);
    assert.equal(isRemoteWriteV2({ 'content-type': 'application/x-protobuf;proto=prometheus.WriteRequest' }), false);
    assert.equal(
      isRemoteWriteV2({ 'content-type': 'application/x-protobuf', 'x-prometheus-remote-write-version': '0.1.0' }),
      false,
    );
    assert.equal(isRemoteWriteV2({}), false);
  });
});
