import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PlatformError } from '../../../../src/platform/errors';
import { finish } from '../../../../src/platform/steps';
import { readSensorsUpload, readUpload } from '../../../../src/points/data-points/data-points.request';

const NOW = 1_800_000_000_123;

describe('the reader of uploads', () => {
  it('accepts a list, a single point and a bare one', () => {
    const expected = [{ value: '5', dateMs: 1000 }];
    for (const body of [
      { data: [{ value: 5, date: 1 }] },
      { data: { value: '5', date: '1' } },
      { value: 5, date: 1 },
      { value: '5', date: '1e0', session_id: 'x' },
      [{ value: 5, date: 1 }],
      { value: 5, timestamp: 1 },
      { value: 5, time: '1970-01-01T00:00:01Z', ts: 1 },
      { value: 5, Date: '1970-01-01T00:00:01Z', Time: '' },
      { value: 5, date: 1, Timestamp: 7 },
      { data: [{ value: 5, DATE_TIME: '1', dateTime: null }] },
      { data: [{ value: 5, createdAt: '1970-01-01T00:00:01+00:00' }] },
      { data: { value: 5, created_at: '1', date: '' } },
    ]) {
      assert.deepEqual(finish(readUpload(body)), expected);
    }
  });

  const texts: [unknown, string][] = [
    [5, '5'],
    [-0.5, '-0.5'],
    [1e21, '1e+21'],
    ['5.50', '5.50'],
    ['', ''],
    [true, 'true'],
    [false, 'false'],
    [{ x: 1, y: [2] }, '{"x":1,"y":[2]}'],
    [[1, 'a'], '[1,"a"]'],
    ['é'.repeat(32_767), 'é'.repeat(32_767)],
  ];
  for (const [value, text] of texts) {
    it(`stores ${JSON.stringify(value).slice(0, 30)} as text`, () => {
      assert.equal(finish(readUpload({ value }))[0]?.value, text);
    });
  }

  const dates: [unknown, number | undefined][] = [
    [undefined, undefined],
    [null, undefined],
    ['', undefined],
    [0, 0],
    ['0', 0],
    [1_795_229_544, 1_795_229_544_000],
    ['1.795229544E9', 1_795_229_544_000],
    [1_795_229_544.123, 1_795_229_544_123],
    ['1795229544.1236', 1_795_229_544_124],
    [253_402_300_799.999, 253_402_300_799_999],
  ];
  for (const [date, dateMs] of dates) {
    it(`reads the date ${JSON.stringify(date)} as ${dateMs} ms`, () => {
      assert.equal(finish(readUpload({ data: [{ value: 1, date }] }))[0]?.dateMs, dateMs);
    });
  }

  it('keeps several points with the same date, but a repeated value once', () => {
    const data = [
      { value: 1, date: 7 },
      { value: 1, date: 7 },
      { value: 2, date: 8 },
      { value: 3, date: '7.0004' },
      { value: 1, date: 7 },
    ];
    assert.deepEqual(finish(readUpload({ data })), [
      { value: '1', dateMs: 7000 },
      { value: '2', dateMs: 8000 },
      { value: '3', dateMs: 7000 },
      { value: '1', dateMs: 7000 },
    ]);
  });

  it('keeps every point without a date, also equal ones', () => {
    const data = [{ value: 1 }, { value: 1 }, { value: 2, date: 7 }, { value: 1, date: null }];
    const values = finish(readUpload({ data })).map(({ value, dateMs }) => [value, dateMs]);
    assert.deepEqual(values, [
      ['1', undefined],
      ['1', undefined],
      ['2', 7000],
      ['1', undefined],
    ]);
  });

  const refused: [string, unknown, string][] = [
    ['nothing', {}, 'data'],
    ['no object', 'text', 'data'],
    ['an empty list as body', [], 'data'],
    ['other keys than a value', { temperature: 21.5, session_id: 'secret' }, 'data'],
    ['another name of the date without a date in it', { value: 1, timestamp: 'yesterday' }, 'timestamp'],
    ['two names of the date with different dates', { value: 1, ts: 1, Timestamp: 2 }, 'Timestamp'],
    ['one of two names of the date without a date in it', { value: 1, ts: 1, Time: '10:00' }, 'Time'],
    ['milliseconds under another name', { data: [{ value: 1, ts: NOW }] }, 'data[0].ts'],
    ['an empty list', { data: [] }, 'data'],
    ['a date alone', { date: 5 }, 'data'],
    ['more than 10,000 points', { data: Array(10_001).fill({ value: 1 }) }, 'data'],
    ['a point that is no object', { data: [{ value: 1 }, 5] }, 'data[1]'],
    ['a text for a point', { data: 'x' }, 'data'],
    ['a missing value', { data: [{ value: 1 }, { date: 1 }] }, 'data[1].value'],
    ['a null value', { data: { value: null } }, 'data.value'],
    ['a bare null value', { value: null }, 'value'],
    ['an infinite value', { value: Number.POSITIVE_INFINITY }, 'value'],
    ['a value of too many bytes', { value: 'é'.repeat(32_768) }, 'value'],
    ['half of a surrogate pair', { value: 'a\ud800b' }, 'value'],
    ['a negative date', { value: 1, date: -1 }, 'date'],
    ['a date that is no number', { value: 1, date: 'yesterday' }, 'date'],
    ['a date that is true', { value: 1, date: true }, 'date'],
    ['a date in hexadecimal', { value: 1, date: '0x10' }, 'date'],
    ['a date in milliseconds', { value: 1, date: NOW }, 'date'],
    ['an infinite date', { value: 1, date: '1e999' }, 'date'],
    ['a value nested too deeply', { value: nested(100_000) }, 'value'],
  ];
  for (const [what, body, field] of refused) {
    it(`refuses ${what} and names ${field}`, () => {
      assert.deepEqual(
        refusedFields(() => finish(readUpload(body))),
        [field],
      );
    });
  }

  it('says which keys it found where there is no point, but shows no credential', () => {
    for (const [body, text] of [
      [{ temperature: 21.5, session_id: 'secret' }, /it has "temperature"; send \{"value"/],
      [{}, /it has no fields; send/],
    ] as const) {
      assert.throws(() => finish(readUpload(body)), text);
      assert.throws(
        () => finish(readUpload(body)),
        (error: Error) => !error.message.includes('secret'),
      );
    }
  });

  it('returns either points or an error that names a field', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), uploads(fc.anything(), fc.anything())), (body) => {
        try {
          for (const { value, dateMs } of finish(readUpload(body))) {
            assert.equal(typeof value, 'string');
            assert.ok(dateMs === undefined || (Number.isSafeInteger(dateMs) && dateMs >= 0));
          }
        } catch (error) {
          assert.ok(error instanceof PlatformError && error.status === 400 && error.fields);
        }
      }),
    );
  });

  it('returns every value, and every date in milliseconds', () => {
    const point = fc.record(
      { value: fc.string(), dateMs: fc.integer({ min: 0, max: 253_402_300_799_999 }) },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(point, { selector: (one) => one.dateMs, minLength: 1 }),
        fc.boolean(),
        (points, asText) => {
          const data = points.map(({ value, dateMs }) => ({
            value,
            date: asText ? String(dateMs / 1000) : dateMs / 1000,
          }));
          assert.deepEqual(finish(readUpload({ data })), points);
        },
      ),
    );
  });
});

describe('the reader of uploads for several sensors', () => {
  it('reads ids as numbers and strings, and merges the points of one sensor', () => {
    const body = {
      sensors: [
        { sensor_id: '7', data: [{ value: 1, date: 1 }] },
        { sensor_id: 8, data: { value: 2, date: 1 } },
        { sensor_id: 7, data: [{ value: 3, date: 1 }] },
      ],
    };
    assert.deepEqual(finish(readSensorsUpload(body)), [
      { sensorId: 7, path: 'sensors[0].sensor_id', points: ['1', '3'].map((value) => ({ value, dateMs: 1000 })) },
      { sensorId: 8, path: 'sensors[1].sensor_id', points: [{ value: '2', dateMs: 1000 }] },
    ]);
  });

  it('names what it reads instead of a list or of other keys', () => {
    for (const [body, text] of [
      [[{ value: 1 }], /it is a list; send \{"sensors": /],
      [{ data: [{ value: 1 }] }, /it has "data"; send \{"sensors": /],
      [{ sensors: [] }, /: the list is empty$/],
    ] as const) {
      assert.throws(() => finish(readSensorsUpload(body)), text);
    }
  });

  const good = { sensor_id: 1, data: [{ value: 1 }] };
  const refused: [string, unknown, string][] = [
    ['nothing', {}, 'sensors'],
    ['an empty list', { sensors: [] }, 'sensors'],
    ['an entry that is no object', { sensors: [good, 1] }, 'sensors[1]'],
    ['a missing id', { sensors: [{ data: [{ value: 1 }] }] }, 'sensors[0].sensor_id'],
    ['an id that is none', { sensors: [good, { ...good, sensor_id: 'x' }] }, 'sensors[1].sensor_id'],
    ['a sensor without data', { sensors: [good, { sensor_id: 2, data: [] }] }, 'sensors[1].data'],
    ['a bad value', { sensors: [good, { sensor_id: 2, data: [{ value: null }] }] }, 'sensors[1].data[0].value'],
    [
      'more than 10,000 points altogether',
      {
        sensors: [
          { sensor_id: 1, data: Array(10_000).fill({ value: 1 }) },
          { ...good, sensor_id: 2 },
        ],
      },
      'sensors[1].data',
    ],
  ];
  for (const [what, body, field] of refused) {
    it(`refuses ${what} and names ${field}`, () => {
      assert.deepEqual(
        refusedFields(() => finish(readSensorsUpload(body))),
        [field],
      );
    });
  }
});

function refusedFields(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof PlatformError && error.status === 400, String(error));
    return Object.keys(error.fields ?? {});
  }
  assert.fail('it was not refused');
}

function uploads(value: fc.Arbitrary<unknown>, date: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const point = fc.record({ value, date });
  return fc.oneof(point, fc.record({ data: point }), fc.record({ data: fc.array(point) }));
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}
