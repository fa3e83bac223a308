import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AGGREGATES } from '../../../src/points/data-points/aggregates';
import { buildSensor, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { intervalsOf } from '../../support/naive-intervals';

const HOUR = 3_600;
const DAY = 86_400;
const WEEK = 604_800;
const MONDAY = 1_795_392_000; // 2026-11-23
const ZONES = ['Europe/Berlin', 'Asia/Kolkata', 'America/Havana', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC'];

interface Point {
  date: number;
  value: string;
  min?: string;
  max?: string;
  count?: string;
}

describe('reading data by intervals', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  const createWith = async (data: { value: unknown; date: number }[], type = 'float') => {
    const id = await buildSensor(user, { data_type: type });
    await upload(user, id, data);
    return id;
  };
  const read = async (id: string, query: string): Promise<Point[]> => {
    const { status, body } = await user.api.get(`/sensors/${id}/data?per_page=1000&${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  const values = async (id: string, query: string) => (await read(id, query)).map(({ value }) => value);

  it('shows the mean, the lowest and the highest of 60 days in which most values are low', async () => {
    const dates = Array.from({ length: 60 * 288 }, (_, index) => MONDAY + index * 300);
    const valueAt = (index: number) => (index % 12 === 11 ? 100 : 0);
    const plain = await createWith(dates.map((date, index) => ({ value: valueAt(index), date })));
    const fields = await createWith(
      dates.map((date, index) => ({ value: { t: valueAt(index), h: 40 }, date })),
      'json',
    );
    for (const [interval, count] of [
      [HOUR, 12],
      [DAY, 288],
    ] as const) {
      const numbers = await read(plain, `interval=${interval}&aggregate=all`);
      const objects = await read(fields, `interval=${interval}&aggregate=all`);
      assert.equal(numbers.length, interval === HOUR ? 1000 : 60);
      assert.equal(objects.length, numbers.length);
      numbers.forEach(({ value, min, max, count: found }) => {
        assert.equal(Number(value).toFixed(2), '8.33');
        assert.deepEqual([min, max, found], ['0', '100', String(count)]);
      });
      objects.forEach(({ value, min, max, count: found }) => {
        assert.equal(JSON.parse(value).t.toFixed(2), '8.33');
        assert.equal(JSON.parse(value).h, 40);
        assert.deepEqual([min, max], ['{"t":0,"h":40}', '{"t":100,"h":40}']);
        assert.equal(found, `{"t":${count},"h":${count}}`);
      });
    }
    assert.deepEqual(await values(fields, `interval=${DAY}&aggregate=sum&last=1`), ['{"t":2400,"h":11520}']);
    assert.deepEqual(await values(fields, `interval=${DAY}&start_date=${MONDAY + 59 * DAY}&aggregate=last`), [
      '{"t":100,"h":40}',
    ]);
  });

  it('shows what each aggregate says, of values that are no numbers the last one', async () => {
    const data = [2, 'unavailable', '007.50', true, '-3e0', 'unavailable'];
    const numbers = await createWith(data.map((value, index) => ({ value, date: MONDAY + index })));
    const states = await createWith(['open', true, 'closed'].map((value, index) => ({ value, date: MONDAY + index })));
    const expected = {
      mean: [String((2 + 7.5 - 3) / 3), 'closed'],
      min: ['-3', 'true'],
      max: ['7.5', 'true'],
      sum: ['6.5', 'closed'],
      count: ['3', '0'],
      first: ['2', 'open'],
      last: ['-3e0', 'closed'],
    };
    for (const [aggregate, [ofNumbers, ofStates]] of Object.entries(expected)) {
      assert.deepEqual(await values(numbers, `interval=60&aggregate=${aggregate}`), [ofNumbers], aggregate);
      assert.deepEqual(await values(states, `interval=60&aggregate=${aggregate}`), [ofStates], aggregate);
    }
    const [all] = await read(states, 'interval=60&aggregate=ALL');
    assert.deepEqual([all?.value, all?.min, all?.max, all?.count], ['closed', 'true', 'true', '0']);
  });

  it('shows that a door was open, and that it was closed, in an hour in which it was both', async () => {
    const opened = [false, true, false, false, true, true];
    const id = await createWith(
      opened.map((value, index) => ({ value, date: MONDAY + index * 1_200 })),
      'boolean',
    );
    const all = await read(id, `interval=${HOUR}&aggregate=all`);
    assert.deepEqual(
      all.map(({ value, min, max, count }) => [value, min, max, count]),
      [
        ['false', 'false', 'true', '0'],
        ['true', 'false', 'true', '0'],
      ],
    );
    assert.deepEqual(await values(id, `interval=${HOUR}&aggregate=max`), ['true', 'true']);
    assert.deepEqual(await values(id, `interval=${HOUR}&aggregate=min`), ['false', 'false']);
    assert.deepEqual(await values(id, `interval=${HOUR}`), ['false', 'true'], 'the mean is the last value');
    assert.deepEqual(await values(id, `interval=60&aggregate=max`), opened.map(String));
  });

  it('shows a number of 16 digits as it was sent', async () => {
    for (const value of ['90.89000000000001', '92.26445841733009']) {
      const id = await createWith([{ value, date: MONDAY }]);
      for (const aggregate of ['mean', 'min', 'max', 'sum', 'last', 'all']) {
        assert.deepEqual(await values(id, `interval=${HOUR}&aggregate=${aggregate}`), [value], aggregate);
      }
    }
  });

  it('treats each field of JSON objects so, also in objects in them', async () => {
    const objects = [
      { t: 1, state: 'on', door: true, deep: { p: 10, name: 'a' } },
      { t: '3', state: 'off', door: false, deep: { p: 20, name: 'b' }, extra: 5 },
      { t: null, state: 'idle', door: true, deep: { name: 'c' } },
    ];
    const data = [...objects, 'text', [1, 2]].map((value, index) => ({ value, date: MONDAY + index }));
    const id = await createWith(data, 'json');
    const shown = { state: 'idle', door: true };
    const expected = {
      mean: { t: 2, ...shown, deep: { name: 'c', p: 15 }, extra: 5 },
      min: { t: 1, ...shown, deep: { name: 'c', p: 10 }, extra: 5 },
      sum: { t: 4, ...shown, deep: { name: 'c', p: 30 }, extra: 5 },
      count: { t: 2, state: 0, door: 0, deep: { name: 0, p: 2 }, extra: 1 },
      first: { t: 1, state: 'on', door: true, deep: { p: 10, name: 'a' }, extra: 5 },
      last: { t: 3, ...shown, deep: { name: 'c', p: 20 }, extra: 5 },
    };
    for (const [aggregate, object] of Object.entries(expected)) {
      const [value] = await values(id, `interval=60&aggregate=${aggregate}`);
      assert.deepEqual(JSON.parse(value ?? ''), object, aggregate);
    }
    const hostile = await createWith(
      [
        { value: '{"__proto__":{"polluted":4},"constructor":2,"a":1e999}', date: MONDAY },
        { value: `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, date: MONDAY + 60 },
        { value: '{not JSON', date: MONDAY + 120 },
      ],
      'json',
    );
    const [first, deep, text] = await values(hostile, 'interval=60');
    assert.equal(first, '{"__proto__":{"polluted":4},"constructor":2,"a":null}');
    assert.match(deep ?? '', /^\{"a":\[\[/);
    assert.equal(text, '{not JSON');
  });

  it('begins days and weeks by the clocks of a time zone, also on days of 23 and 25 hours', async () => {
    const hours = Array.from({ length: 400 * 24 }, (_, hour) => Date.UTC(2026, 0, 1) / 1000 + hour * HOUR);
    const id = await createWith(hours.map((date) => ({ value: 1, date })));
    const zone = `timezone=Europe/Berlin&interval=${DAY}`;
    const counted = await read(id, `${zone}&aggregate=count&start_date=2026-03-28T12:00Z&end_date=2026-03-30T12:00Z`);
    assert.deepEqual(
      counted.map(({ date, value }) => [new Date(date * 1000).toISOString(), value]),
      [
        ['2026-03-27T23:00:00.000Z', '11'],
        ['2026-03-28T23:00:00.000Z', '23'],
        ['2026-03-29T22:00:00.000Z', '15'],
      ],
    );
    const autumn = await read(id, `${zone}&aggregate=sum&date=2026-10-25T10:00Z&next=1`);
    assert.deepEqual(autumn, await read(id, `${zone}&aggregate=sum&date=2026-10-25T10:00Z&next=1&sort=DESC`));
    const [day] = await read(id, `${zone}&aggregate=sum&end_date=2026-10-25T22:59:59Z&last=1`);
    assert.deepEqual([day?.date, day?.value], [Date.UTC(2026, 9, 24, 22) / 1000, '25']);
    const week = await read(id, `timezone=europe/berlin&interval=${WEEK}&aggregate=count&start_date=2026-10-18T22:00Z`);
    assert.deepEqual([week[0]?.date, week[0]?.value], [Date.UTC(2026, 9, 18, 22) / 1000, '169']);
    const { body } = await user.api.get(`/sensors/${id}/data?${zone}&total=1&per_page=1`);
    assert.equal(body.total, 401);
  });

  it('shows the states among texts that begin as an object does', async () => {
    const id = await createWith(
      ['{', true, '{'].map((value, index) => ({ value, date: MONDAY + index })),
      'json',
    );
    const [all] = await read(id, `interval=${HOUR}&aggregate=all`);
    assert.deepEqual([all?.value, all?.min, all?.max, all?.count], ['{', 'true', 'true', '0']);
    assert.deepEqual(await values(id, `interval=${HOUR}&aggregate=min`), ['true']);
  });

  it('equals a plain computation, whatever the values, the zone and the order', async () => {
    const value = fc.oneof(
      fc.integer({ min: -1000, max: 1000 }),
      fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
      fc.constantFrom('on', '', ' 12 ', '1e3', true, '{', '[1]'),
      fc.record({
        t: fc.oneof(fc.integer(), fc.constantFrom('5', 'x', null)),
        in: fc.record({ 'a.b"': fc.integer() }),
      }),
    );
    const date = fc.integer({ min: Date.UTC(2009, 0, 1), max: Date.UTC(2030, 0, 1) });
    const near = fc.tuple(date, fc.integer({ min: 0, max: 5 * DAY * 1000 })).map(([ms, more]) => ms + more);
    const data = fc.uniqueArray(fc.record({ value, ms: fc.oneof(date, near) }), {
      minLength: 120,
      maxLength: 120,
      selector: ({ ms }) => ms,
    });
    for (const [points = [], index] of fc.sample(data, 2).map((one, at) => [one, at] as const)) {
      const id = await createWith(
        points.map(({ value: one, ms }) => ({ value: one, date: ms / 1000 })),
        'json',
      );
      const stored = (await read(id, '')).map(({ date: seconds, value: text }) => ({
        ms: Math.round(seconds * 1000),
        value: text,
      }));
      for (const timezone of ZONES)
        for (const interval of [HOUR, DAY, WEEK])
          for (const aggregate of AGGREGATES) {
            const query = `interval=${interval}&aggregate=${aggregate}&timezone=${timezone}`;
            const found = await read(id, `${query}&sort=${index % 2 ? 'DESC' : 'ASC'}`);
            const expected = intervalsOf(stored, { interval, timezone, aggregate });
            assert.deepEqual(roundedOf(index % 2 ? found.reverse() : found), roundedOf(expected), query);
          }
    }
  });

  it('is the same for several sensors, and in CSV and NDJSON', async () => {
    const dates = Array.from({ length: 3_000 }, (_, index) => MONDAY + index * 7 * HOUR);
    const plain = await createWith(dates.map((date, index) => ({ value: index, date })));
    const fields = await createWith(
      dates.map((date, index) => ({ value: { t: index, s: 'x' }, date })),
      'json',
    );
    const query = `interval=${DAY}&aggregate=all&timezone=America/New_York`;
    const both = `sensor_id[]=${plain}&sensor_id[]=${fields}&${query}`;
    const { body } = await user.api.get(`/sensors/data?${both}&per_page=1000`);
    const alone = [...(await read(plain, query)), ...(await read(fields, query))];
    const byDate = (a: Point, b: Point) => a.date - b.date;
    assert.deepEqual(body.data, alone.sort(byDate).slice(0, 1000));
    for (const sort of ['ASC', 'DESC']) {
      const ndjson = (await user.api.get(`/sensors/data.ndjson?${both}&sort=${sort}`)).body;
      const records: Point[] = String(ndjson).trim().split('\n').map((line) => JSON.parse(line)); // biome-ignore format: one line
      assert.deepEqual(sort === 'ASC' ? records : records.sort(byDate), alone);
    }
    const csv = String((await user.api.get(`/sensors/data.csv?${both}`)).body).split('\r\n');
    assert.equal(csv[0], 'sensor_id,date,value,value.s,value.t,min,min.s,min.t,max,max.s,max.t,count,count.s,count.t');
    const [first] = await read(fields, query);
    const { t } = JSON.parse(first?.value ?? '');
    assert.ok(
      csv.includes(`${fields},${first?.date},,x,${t},,x,0,,x,${t * 2},,0,${t * 2 + 1}`),
      csv.slice(0, 4).join('\n'),
    );
    const day = `${query}&per_page=1`;
    const page = String((await user.api.get(`/sensors/${plain}/data.csv?${day}`)).body).split('\r\n');
    assert.equal(page[0], 'date,value,min,max,count');
    assert.equal(page.length, 3);
  });

  it('refuses what it does not know, by its name', async () => {
    const id = await createWith([{ value: 1, date: MONDAY }]);
    for (const [query, field] of [
      ['interval=61', 'interval'],
      ['interval=60&aggregate=median', 'aggregate'],
      ['aggregate=max', 'aggregate'],
      ['interval=86400&timezone=Europe/Atlantis', 'timezone'],
      ['timezone=UTC%2B2', 'timezone'],
    ]) {
      for (const path of [`/sensors/${id}/data?`, `/sensors/${id}/data.csv?`, `/sensors/data?sensor_id[]=${id}&`]) {
        const { status, body } = await user.api.get(path + query);
        assert.equal(status, 400, path + query);
        assert.deepEqual(Object.keys(body.fields ?? {}), [field], JSON.stringify(body));
      }
    }
    assert.deepEqual(await values(id, 'interval=60&aggregate=&timezone='), ['1']);
  });

  it('refuses objects with more fields than can be shown, and those only', async () => {
    const named = (from: number) =>
      Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`field ${from + index}`, index]));
    const id = await createWith(
      [
        { value: named(0), date: MONDAY },
        { value: named(600), date: MONDAY + 60 },
      ],
      'json',
    );
    assert.equal((await read(id, 'interval=60')).length, 2);
    const { status, body } = await user.api.get(`/sensors/${id}/data?interval=3600`);
    assert.deepEqual([status, Object.keys(body.fields)], [400, ['interval']]);
    assert.match(body.error, /more than 1000 fields/);
  });
});

/** Sums of the same numbers in another order may differ in their last digits. */
function roundedOf(points: readonly Point[]) {
  const rounded = (text: string | undefined) =>
    text?.replace(/-?\d+(\.\d+)?(e[-+]?\d+)?/gi, (number) => String(Number(Number(number).toPrecision(9)) + 0));
  return points.map(({ date, value, min, max, count }) => [date, ...[value, min, max, count].map(rounded)]);
}
