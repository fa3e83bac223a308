import assert from 'node:assert/strict';
import fc from 'fast-check';
import { calendarParts, INTERVALS, type Interval, intervalStart } from '../../../src/edge/intervals';
import { buildSensor, share, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

interface Point {
  id: string;
  sensor_id: string;
  value: string;
  date: number;
  week: number;
  month: number;
  year: number;
}

describe('reading data over HTTP', () => {
  const platform = usePlatform();
  const owner = useUser(platform);
  const friend = useUser(platform);
  const stranger = useUser(platform);
  let sensorId: string;

  before(async () => {
    sensorId = await createWith([1, 2, 3, 4, 5].map((n) => ({ value: `v${n}`, date: n * 10 })));
  });

  const createWith = async (data: { value: unknown; date: number }[]): Promise<string> => {
    const id = await buildSensor(owner);
    await upload(owner, id, data);
    return id;
  };

  const read = async (query = '', id = sensorId): Promise<Point[]> => {
    const response = await owner.api.get(`/sensors/${id}/data${query}`);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body.data;
  };

  const values = async (query: string, id = sensorId): Promise<string> =>
    (await read(query, id)).map((point) => point.value).join(' ');

  it('returns a point with its ids as strings and the calendar parts of its date', async () => {
    const id = await createWith([{ value: 21.5, date: 1_767_225_600.125 }]);
    const [point] = await read('', id);
    assert.equal(point?.id, '1767225600126');
    assert.deepEqual(
      { ...point, id: '' },
      { id: '', sensor_id: id, value: '21.5', date: 1_767_225_600.125, week: 1, month: 1, year: 2026 },
    );
  });

  const selections: [string, string][] = [
    ['', 'v1 v2 v3 v4 v5'],
    ['?sort=desc', 'v5 v4 v3 v2 v1'],
    ['?sort=ASC', 'v1 v2 v3 v4 v5'],
    ['?start_date=20&end_date=40', 'v2 v3 v4'],
    ['?start_date=20.001&end_date=39.999', 'v3'],
    ['?start_date=2E1', 'v2 v3 v4 v5'],
    ['?start_date=30&end_date=20', ''],
    ['?date=30', 'v3'],
    ['?date=31', ''],
    ['?date=30&start_date=31', ''],
    ['?date=30&next=1', 'v4'],
    ['?date=31&next=1', 'v4'],
    ['?date=50&next=1', ''],
    ['?date=10&next=1&start_date=35', 'v4'],
    ['?date=30&next=0', 'v3'],
    ['?last=1', 'v5'],
    ['?last=true&end_date=45', 'v4'],
    ['?last=1&start_date=51', ''],
    ['?last=0&next=0&date=0&start_date=0&end_date=0', 'v1 v2 v3 v4 v5'],
    ['?last=&next=&date=&start_date=&end_date=&sort=&interval=&page=&per_page=', 'v1 v2 v3 v4 v5'],
    ['?per_page=2', 'v1 v2'],
    ['?per_page=2&page=2', 'v5'],
    ['?per_page=2&page=3', ''],
    ['?per_page=2&page=1&sort=DESC', 'v3 v2'],
  ];
  for (const [query, expected] of selections) {
    it(`returns ${expected || 'nothing'} for ${query || 'no parameters'}`, async () => {
      assert.equal(await values(query), expected);
    });
  }

  it('counts the points of all pages on request', async () => {
    for (const [query, total] of [
      ['total=1&per_page=2', 5],
      ['total=1&start_date=20&end_date=40&per_page=1', 3],
      ['total=1&last=1', 1],
      ['total=1&interval=60', 1],
      ['total=1&interval=60&last=1', 1],
      ['total=0', undefined],
    ]) {
      assert.equal((await owner.api.get(`/sensors/${sensorId}/data?${query}`)).body.total, total);
    }
  });

  it('refuses invalid parameters by their names', async () => {
    for (const [name, value] of [
      ['start_date', 'x'],
      ['end_date', '1e999'],
      ['date', '1e300'],
      ['sort', 'up'],
      ['interval', '61'],
      ['interval', '0'],
      ['page', '-1'],
      ['per_page', '0'],
      ['last', 'x'],
    ] as const) {
      const response = await owner.api.get(`/sensors/${sensorId}/data?${name}=${value}`);
      assert.equal(response.status, 400, `${name}=${value}`);
      assert.deepEqual(Object.keys(response.body.fields), [name]);
    }
  });

  it('returns the mean of the numbers of each interval, or its last value, dated at its start', async () => {
    const id = await createWith([
      { value: 1, date: 60 },
      { value: ' 2.5e0 ', date: 119.999 },
      { value: '-1', date: 120 },
      { value: 'text', date: 130 },
      { value: 'on', date: 240 },
      { value: 'off', date: 250 },
      { value: '1e999', date: 300 },
    ]);
    const points = await read('?interval=60', id);
    assert.deepEqual(
      points.map((point) => [point.date, point.value]),
      [
        [60, '1.75'],
        [120, '-1'],
        [240, 'off'],
        [300, '1e999'],
      ],
    );
    const raw = await read('', id);
    assert.deepEqual(
      points.map((point) => point.id),
      [raw[1]?.id, raw[3]?.id, raw[5]?.id, raw[6]?.id],
    );
    assert.equal(await values('?interval=60&sort=DESC&per_page=2&page=1', id), '-1 1.75');
    assert.equal(await values('?interval=60&start_date=60.001&end_date=240', id), '2.5 -1 on');
    assert.equal(await values('?interval=60&last=1&end_date=240', id), 'on');
    assert.equal(await values('?interval=60&date=60&next=1', id), '2.5');
    assert.deepEqual(await read('?interval=86500', id), await read('?interval=86400', id));
  });

  it('aligns every kind of interval with the calendar, weeks with Mondays', async () => {
    const day = 86_400_000;
    const date = fc.oneof(
      fc.integer({ min: 0, max: 4_102_444_800_000 }),
      // Around the ends of intervals, where a rounded division would be wrong.
      fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: -2, max: 2 })).map(([n, ms]) => n * day + ms),
    );
    const dates = fc.sample(fc.uniqueArray(date, { minLength: 300, maxLength: 300 }), 1)[0] ?? [];
    const id = await createWith(dates.map((ms) => ({ value: 'x', date: ms / 1000 })));
    for (const interval of INTERVALS) {
      const starts = [...new Set(dates.map((ms) => intervalStart(ms, interval)))].sort((a, b) => a - b);
      const points = await read(`?interval=${interval}&per_page=1000`, id);
      assert.deepEqual(
        points.map((point) => point.date),
        starts.map((ms) => ms / 1000),
      );
      for (const { date, week, month, year } of points) {
        assert.deepEqual({ week, month, year }, calendarParts(date * 1000));
      }
    }
    const week: Interval = 604_800;
    assert.equal(
      (await read(`?interval=${week}&per_page=1`, id))[0]?.date,
      intervalStart(Math.min(...dates), week) / 1000,
    );
  });

  it('returns the data of several sensors in one list ordered by date', async () => {
    const [a, b] = [
      await createWith([1, 3, 5].map((date) => ({ value: `a${date}`, date }))),
      await createWith([2, 3, 4].map((date) => ({ value: `b${date}`, date }))),
    ];
    const flat = async (query: string) => {
      const response = await owner.api.get(`/sensors/data?sensor_id[]=${a}&sensor_id[]=${b}${query}`);
      assert.equal(response.status, 200);
      return response.body.data.map((point: Point) => point.value).join(' ');
    };
    assert.equal(await flat(''), 'a1 b2 a3 b3 b4 a5');
    assert.equal(await flat('&sort=DESC'), 'a5 b4 a3 b3 b2 a1');
    assert.equal(await flat('&per_page=2&page=1'), 'a3 b3');
    assert.equal(await flat('&last=1'), 'b4 a5');
    assert.equal(await flat('&date=1&next=1'), 'b2 a3');
    assert.equal(await flat('&interval=60'), 'a5 b4');
    assert.equal((await owner.api.get(`/sensors/data?sensor_id=${a}&total=1`)).body.total, 3);
  });

  it('reads many sensors in one request, each of them once', async () => {
    const ids = [sensorId, sensorId];
    for (let i = 0; i < 30; i += 1) ids.push(await createWith([{ value: i, date: 1 }]));
    const response = await owner.api.get(`/sensors/data?${ids.map((id) => `sensor_id[]=${id}`).join('&')}&total=1`);
    assert.equal(response.body.total, 35);
    assert.equal(response.body.data.length, 35);
  });

  it('shows data to the owner and to users with whom the sensor is shared, and to nobody else', async () => {
    const id = await createWith([{ value: 1, date: 1 }]);
    const both = `/sensors/data?sensor_id[]=${id}&sensor_id[]=${sensorId}`;
    assert.equal((await friend.api.get(`/sensors/${id}/data`)).status, 404);
    await share(owner, id, friend);
    assert.equal((await friend.api.get(`/sensors/${id}/data`)).body.data.length, 1);
    assert.equal((await friend.api.get(`/sensors/data?sensor_id=${id}`)).body.data.length, 1);
    assert.equal((await friend.api.get(both)).status, 404);
    assert.equal((await stranger.api.get(`/sensors/${id}/data`)).status, 404);
    assert.equal((await platform.anonymous.get(`/sensors/${id}/data`)).status, 401);
    assert.equal((await owner.api.get('/sensors/data')).status, 400);
    assert.equal((await owner.api.get('/sensors/data?sensor_id=x')).status, 400);
  });

  it('gives points ids from the first date to the last, by which they can be deleted', async () => {
    const id = await createWith([
      { value: 'first', date: 0 },
      { value: 'last', date: 253_402_300_799.999 },
    ]);
    const ids = (await read('', id)).map((point) => point.id);
    assert.deepEqual(ids, ['1', '253402300800000']);
    const remove = async (pointId: string) => (await owner.api.delete(`/sensors/${id}/data/${pointId}`)).status;
    for (const none of ['0', '-1', '2', '1.5', 'x', '1e3', '253402300800001', '9007199254740991', '9007199254740992'])
      assert.equal(await remove(none), 404, none);
    assert.equal(await values('', id), 'first last');
    for (const pointId of ids) assert.equal(await remove(pointId), 200);
    assert.equal(await values('', id), '');
  });

  it('lets only the owner delete a point', async () => {
    const id = await createWith([
      { value: 1, date: 1 },
      { value: 2, date: 2 },
    ]);
    await share(owner, id, friend);
    const path = `/sensors/${id}/data/${(await read('', id))[0]?.id}`;
    assert.equal((await stranger.api.delete(path)).status, 404);
    assert.equal((await friend.api.delete(path)).status, 403);
    const deleted = await owner.api.delete(path);
    assert.deepEqual([deleted.status, deleted.body], [200, {}]);
    assert.equal(await values('', id), '2');
    assert.equal((await owner.api.delete(path)).status, 404);
    assert.equal((await owner.api.delete(`/sensors/${sensorId}/data/${(await read('', id))[0]?.id}`)).status, 404);
    assert.equal(await values('', id), '2');
  });
});
