import assert from 'node:assert/strict';
import { csvRows } from '../../support/csv-rows';
import { buildSensor, buildTrigger, connectTrigger, createKey, share, upload } from '../../support/factories';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';

const HOUR = 3_600;
const DAY = 86_400;
const MINUTES = 60;
/** 25 October 2026 in Berlin, on which the clocks are set back. */
const START = Date.parse('2026-10-25T00:00+02:00') / 1000;
const END = Date.parse('2026-10-26T00:00+01:00') / 1000;
const RANGE = `start_date=${START}&end_date=${END}&timezone=Europe/Berlin`;
const SHOP_3 = { metatag_statement_groups: [[{ metatag_name: 'shop', operator: 'equal', value: '3' }]] };

interface Row {
  date: number;
  value: unknown;
}

/** A point every five minutes, five minutes before the day and until its end. */
const everyFiveMinutes = (valueAt: (date: number) => unknown): Row[] =>
  Array.from({ length: 25 * 12 + 2 }, (_, at) => START + (at - 1) * 5 * MINUTES).map((date) => ({
    ...{ date, value: valueAt(date) },
  }));

describe('the report on sensors', () => {
  const platform = usePlatform();
  const ada = useUserPerTest(platform);
  const other = useUser(platform);

  const report = async (query: string, headers?: Record<string, string>) => {
    const { status, body } = await ada.api.get(`/reports/sensors?${query}`, headers);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const refused = async (query: string) => {
    const { status, body } = await ada.api.get(`/reports/sensors?${query}`);
    assert.equal(status, 400, JSON.stringify(body));
    return Object.keys(body.fields ?? {});
  };
  const build = async (fields: Record<string, unknown>, points: readonly Row[]) => {
    const id = await buildSensor(ada, { data_type: 'float', expected_interval: 10 * MINUTES, ...fields });
    await upload(ada, id, points);
    return id;
  };

  it('has what happened on a day of 25 hours, and on the next one', async () => {
    const isWarm = (date: number) => date >= START + 2 * HOUR && date < START + 3 * HOUR;
    const isMissing = (date: number) => date > START + 12 * HOUR && date < START + 13 * HOUR;
    const points = everyFiveMinutes((date) => (isWarm(date) ? -10 : -20)).filter(({ date }) => !isMissing(date));
    const id = await build({ name: 'Freezer', unit: '°C' }, points);
    const triggerId = await buildTrigger(ada, { name: 'too warm', expression: 'sensor_data_value > -15', hold: 1_800 });
    const cold = await buildTrigger(ada, { name: 'too cold', expression: 'sensor_data_value < -30' });
    const rising = await buildTrigger(ada, { expression: 'sensor_data_value > last_sensor_data_value' });
    for (const one of [triggerId, cold, rising]) await connectTrigger(ada, id, one);
    const { reports, total } = await report(
      `sensor_id[]=${id}&start_date=${START}&end_date=${END + DAY}&timezone=Europe/Berlin&by=day&total=1`,
    );
    const none = { alerts: 0, acknowledged: 0, acknowledged_by: [] };
    const limits = (seconds: number) => [
      { trigger_id: triggerId, trigger_name: 'too warm', seconds },
      { trigger_id: cold, trigger_name: 'too cold', seconds: 0 },
    ];
    const numbers = { field: '', unit: '°C' };
    const [first, second] = reports[0].periods;
    const mean = (12 * -10 + 277 * -20) / 289;
    assert.ok(Math.abs(first.values[0].mean - mean) < 1e-9, String(first.values[0].mean));
    first.values[0].mean = 0;
    assert.deepEqual([reports.length, total, reports[0].expected_interval], [1, 1, 600]);
    assert.deepEqual([reports[0].sensor_id, reports[0].sensor_name], [id, 'Freezer']);
    assert.deepEqual(first, {
      ...{ start: START, end: END, count: 289 },
      values: [{ ...numbers, count: 289, minimum: -20, mean: 0, maximum: -10 }],
      ...{ outside: HOUR, limits: limits(HOUR) },
      ...{ gaps: 1, gap_seconds: HOUR, availability: 24 / 25, ...none },
    });
    assert.deepEqual(second, {
      ...{ start: END, end: END + DAY, count: 1 },
      values: [{ ...numbers, count: 1, minimum: -20, mean: -20, maximum: -20 }],
      ...{ outside: 0, limits: limits(0) },
      ...{ gaps: 1, gap_seconds: DAY, availability: 0, ...none },
    });
  });

  it('learns the usual distance of points, and summarises each field with numbers', async () => {
    const id = await build(
      { name: 'Hall', data_type: 'json', expected_interval: null, field_units: { humidity: '%' } },
      everyFiveMinutes((date) => ({ humidity: date === START ? 60 : 50, inner: { t: '1.5' }, door: 'open', on: true })),
    );
    const [{ expected_interval, periods }] = (await report(`sensor_id[]=${id}&${RANGE}`)).reports;
    assert.equal(expected_interval, 15 * MINUTES);
    assert.equal(periods.length, 1);
    const { count, values, gaps, availability } = periods[0];
    assert.deepEqual([count, gaps, availability], [300, 0, 1]);
    assert.deepEqual(
      values.map(({ field, unit, minimum, maximum }: Record<string, unknown>) => [field, unit, minimum, maximum]),
      [
        ['humidity', '%', 50, 60],
        ['inner.t', '', 1.5, 1.5],
      ],
    );
  });

  it('counts the alerts that began, and says who acknowledged', async () => {
    const [id, calm] = [await buildSensor(ada), await buildSensor(ada)];
    const triggerId = await buildTrigger(ada, { expression: 'sensor_data_value > 30' });
    for (const one of [id, calm]) await connectTrigger(ada, one, triggerId);
    const start = Math.floor(Date.now() / 1000) - 2 * HOUR;
    await upload(ada, id, { value: 31 });
    await upload(ada, calm, { value: 29 });
    await platform.settle();
    const [{ id: firingId }] = (await ada.api.get('/firings')).body.firings;
    assert.equal((await ada.api.post(`/firings/${firingId}/acknowledge`, {})).status, 200);
    const range = `start_date=${start}&end_date=${start + 3 * HOUR}`;
    const { reports } = await report(`sensor_id[]=${calm}&sensor_id[]=${id}&${range}`);
    const shown = reports.map(({ periods: [only] }: { periods: [Record<string, unknown>] }) => {
      const { alerts, acknowledged, acknowledged_by } = only;
      return [alerts, acknowledged, acknowledged_by];
    });
    const { username } = (await ada.api.get('/users/current')).body.user;
    assert.deepEqual(shown, [
      [1, 1, [username]],
      [0, 0, []],
    ]);
    const [{ periods }] = reports;
    assert.ok(periods[0].end < start + 2 * HOUR + 60, 'the future is left out');
  });

  it('is CSV with a line for each sensor, day and field', async () => {
    const id = await build(
      { name: 'Freezer; "3"', unit: '°C' },
      everyFiveMinutes(() => -20.5),
    );
    const empty = await build({ name: 'Empty' }, []);
    const ids = `sensor_id[]=${id}&sensor_id[]=${empty}`;
    const query = `${ids}&${RANGE}&by=day&dates=local&separator=semicolon`;
    const { body, headers, status } = await ada.api.get(`/reports/sensors.csv?${query}`);
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/csv/);
    assert.equal(headers.get('content-disposition'), 'attachment; filename="report.csv"');
    const { rows } = csvRows(String(body), ';');
    assert.equal(rows.length, 2);
    const { 'start (Europe/Berlin)': start, 'end (Europe/Berlin)': end, sensor_name, minimum, points } = rows[0] ?? {};
    assert.deepEqual(
      [start, end, sensor_name, minimum, points],
      ['2026-10-25 00:00:00', '2026-10-26 00:00:00', 'Freezer; "3"', '-20,5', '300'],
    );
    assert.deepEqual([rows[1]?.sensor_name, rows[1]?.minimum, rows[1]?.gap_seconds], ['Empty', '', '90000']);
    const accepted = await report(query, { Accept: 'text/csv' });
    assert.equal(String(accepted), String(body));
  });

  it('finds sensors by a filter, in pages', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      const id = await buildSensor(ada, { name });
      ids.push(id);
      await ada.api.post(`/sensors/${id}/metatags`, { metatags: { shop: [name === 'c' ? '4' : '3'] } });
    }
    const found = async (query: string) =>
      (await report(`${RANGE}&${query}`)).reports.map(({ sensor_id }: { sensor_id: string }) => sensor_id);
    const filter = `filter=${encodeURIComponent(JSON.stringify(SHOP_3))}`;
    assert.deepEqual(await found(filter), ids.slice(0, 2));
    assert.deepEqual(await found(`${filter}&per_page=1&page=1`), [ids[1]]);
    assert.deepEqual(await found(`${filter}&sensor_id[]=${ids[2]}`), []);
    assert.deepEqual(await found(''), ids);
    for (const [wrong, place] of [
      ['{', 'filter'],
      ['[]', 'filter'],
      ['{"metatag_statement_groups":{}}', 'filter.metatag_statement_groups'],
      ['{"metatag_statement_groups":[[{"operator":"equal"}]]}', 'filter.metatag_statement_groups[0][0]'],
      [
        '{"sensor_statement_groups":[[{"sensor_property":"owner_id","operator":"is_set"}]]}',
        'filter.sensor_statement_groups[0][0]',
      ],
      [
        '{"metatag_statement_groups":[[{"metatag_name":"a","operator":"like"}]]}',
        'filter.metatag_statement_groups[0][0]',
      ],
      [
        '{"metatag_statement_groups":[[{"metatag_name":"a","operator":"equal","value":{}}]]}',
        'filter.metatag_statement_groups[0][0].value',
      ],
    ] as const) {
      assert.deepEqual(await refused(`${RANGE}&filter=${encodeURIComponent(wrong)}`), [place], wrong);
    }
  });

  it('refuses what is wrong or too much, and names it', async () => {
    const id = await buildSensor(ada);
    const of = `sensor_id[]=${id}`;
    assert.deepEqual(await refused(of), ['start_date', 'end_date']);
    assert.deepEqual(await refused(`${of}&start_date=${END}&end_date=${START}`), ['end_date']);
    assert.deepEqual((await report(`${of}&start_date=${START}&end_date=${START}`)).reports[0].periods, []);
    assert.deepEqual(await refused(`${of}&${RANGE}&by=hour`), ['by']);
    assert.deepEqual(await refused(`${of}&start_date=${START}&end_date=${END}&timezone=Berlin`), ['timezone']);
    assert.deepEqual(await refused(`${of}&start_date=${START - 400 * DAY}&end_date=${END}&by=day`), ['end_date']);
    assert.deepEqual(await refused(`sensor_id[]=x&${RANGE}`), ['sensor_id[0]']);
    const many = Array.from({ length: 30 }, () => 'sensor_id[]').map((name) => `${name}=${id}`);
    assert.equal((await report(`${many.join('&')}&${RANGE}`)).reports.length, 1);
    await Promise.all(Array.from({ length: 29 }, () => buildSensor(ada)));
    assert.deepEqual(await refused(`start_date=${START - 350 * DAY}&end_date=${END}&by=day`), ['per_page']);
    const { body } = await ada.api.get(`/reports/sensors.csv?start_date=${START - 350 * DAY}&end_date=${END}&by=day`);
    assert.equal(String(body).split('\r\n').length, 1 + 30 * 352 + 1, 'CSV reads a few sensors at a time');
  });

  it('is only of sensors that the caller may see', async () => {
    const [own, foreign, shared] = [await buildSensor(ada), await buildSensor(other), await buildSensor(other)];
    await share(other, shared, ada);
    for (const path of ['/reports/sensors', '/reports/sensors.csv']) {
      const { status, body } = await ada.api.get(`${path}?sensor_id[]=${own}&sensor_id[]=${foreign}&${RANGE}`);
      assert.deepEqual([status, body.error], [404, `the sensor ${foreign} does not exist`], path);
    }
    const ids = async (query: string) =>
      (await report(`${RANGE}&${query}`)).reports.map(({ sensor_id }: { sensor_id: string }) => sensor_id);
    assert.deepEqual(await ids(`sensor_id[]=${shared}`), [shared]);
    assert.deepEqual(
      await ids('sensor_owner=all'),
      [own, shared].sort((a, b) => Number(a) - Number(b)),
    );
    const second = await buildSensor(ada);
    const { secret } = await createKey(ada, { scopes: ['read'], sensors: [own] });
    const get = (query: string) =>
      platform.anonymous.get(`/reports/sensors?${RANGE}&${query}`, { Authorization: `Bearer ${secret}` });
    assert.equal((await get('')).body.reports.length, 1);
    assert.equal((await get(`sensor_id[]=${second}`)).status, 404);
    assert.equal((await platform.anonymous.get(`/reports/sensors?${RANGE}`)).status, 401);
  });
});
