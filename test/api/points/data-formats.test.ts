import assert from 'node:assert/strict';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { read as readFile } from '../../support/csv-readings';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { rawRequest } from '../../support/raw-request';
import { until } from '../../support/until';

const DATE = 1_795_229_544;
const CSV = { 'Content-Type': 'text/csv' };

describe('data in CSV and NDJSON', () => {
  const platform = usePlatform();
  const ada = useUserPerTest(platform);

  const read = async (path: string, headers: Record<string, string> = {}) => {
    const { status, body, headers: sent } = await ada.api.get(path, headers);
    assert.equal(status, 200, JSON.stringify(body));
    return { text: String(body), type: sent.get('content-type') ?? '', name: sent.get('content-disposition') };
  };
  const valuesOf = async (id: string) => {
    const { body } = await ada.api.get(`/sensors/${id}/data?per_page=1000`);
    return body.data.map(({ date, value }: { date: number; value: string }) => [date, value]);
  };

  it('is compressed for those who ask, in each format', async () => {
    const id = await buildSensor(ada);
    await upload(
      ada,
      id,
      Array.from({ length: 1_000 }, (_, at) => ({ value: at % 10, date: DATE + at })),
    );
    const headers = { 'X-SESSION_ID': ada.session, 'Accept-Encoding': 'gzip' };
    for (const suffix of ['', '.csv', '.ndjson']) {
      const sent = await rawRequest(platform.url, `/sensors/${id}/data${suffix}?per_page=1000`, { headers });
      assert.equal(sent.headers['content-encoding'], 'gzip', suffix);
      assert.ok(sent.bytes.length < 12_000, `${suffix}: ${sent.bytes.length} bytes`);
      assert.match(gunzipSync(sent.bytes).toString(), new RegExp(String(DATE + 999)), suffix);
    }
  });

  it('is downloaded by suffix or Accept, with cells as they are', async () => {
    const id = await buildSensor(ada);
    await upload(ada, id, [
      { value: 21.5, date: DATE + 0.125 },
      { value: 'a "b", c', date: DATE + 1 },
      { value: '=1+2\n ', date: DATE + 2 },
      { value: '', date: DATE + 3 },
    ]);
    const lines = [
      'date,value',
      `${DATE + 0.125},21.5`,
      `${DATE + 1},"a ""b"", c"`,
      `${DATE + 2},"=1+2\n "`,
      `${DATE + 3},`,
    ];
    const expected = `${lines.join('\r\n')}\r\n`;
    const bySuffix = await read(`/sensors/${id}/data.csv`);
    assert.equal(bySuffix.text, expected);
    assert.match(bySuffix.type, /^text\/csv; charset=utf-8/);
    assert.equal(bySuffix.name, `attachment; filename="sensor-${id}.csv"`);
    assert.equal((await read(`/sensors/${id}/data`, { Accept: 'text/csv' })).text, expected);
    const marked = await fetch(`${platform.url}/sensors/${id}/data.csv?bom=1`, {
      headers: { 'X-SESSION_ID': ada.session },
    });
    const bytes = Buffer.from(await marked.arrayBuffer());
    assert.deepEqual([bytes.subarray(0, 3).toString('hex'), bytes.subarray(3).toString()], ['efbbbf', expected]);
    const iso = await read(`/sensors/${id}/data.csv?dates=iso&per_page=1`);
    assert.equal(iso.text, 'date,value\r\n2026-11-21T02:52:24.125Z,21.5\r\n');
    const last = await read(`/sensors/${id}/data.csv?sort=DESC&start_date=2026-11-21T02:52:25Z&end_date=${DATE + 1}`);
    assert.equal(last.text, `date,value\r\n${DATE + 1},"a ""b"", c"\r\n`);
    const { body } = await ada.api.get(`/sensors/${id}/data`);
    const json = body.data.map((point: object) => `${JSON.stringify(point)}\n`).join('');
    const ndjson = await read(`/sensors/${id}/data.ndjson`);
    assert.equal(ndjson.text, json);
    assert.match(ndjson.type, /^application\/x-ndjson/);
    assert.equal((await read(`/sensors/${id}/data`, { Accept: 'application/x-ndjson' })).text, json);
    const first = (await read(`/sensors/${id}/data.ndjson?dates=iso&per_page=1`)).text;
    assert.equal(JSON.parse(first).date, '2026-11-21T02:52:24.125Z');
    for (const accept of ['*', '*/*, *', 'application/json, text/csv', 'text/html,application/xhtml+xml,*/*;q=0.8']) {
      const { headers } = await ada.api.get(`/sensors/${id}/data`, { Accept: accept });
      assert.match(headers.get('content-type') ?? '', /^application\/json/, accept);
    }
  });

  it('has a column for each field of JSON values, and the sensor where there are several', async () => {
    const [id, plain] = [await buildSensor(ada, { data_type: 'json' }), await buildSensor(ada, { data_type: 'float' })];
    await upload(ada, id, [
      { value: { 'z,y': 'text', a: 1, nested: { b: [1, 2] } }, date: DATE },
      { value: { a: null, B: true }, date: DATE + 1 },
    ]);
    const { text } = await read(`/sensors/${id}/data.csv`);
    assert.deepEqual(text.split('\r\n'), [
      'date,value.B,value.a,value.nested,"value.z,y"',
      `${DATE},,1,"{""b"":[1,2]}",text`,
      `${DATE + 1},true,null,,`,
      '',
    ]);
    const again = await buildSensor(ada, { data_type: 'json' });
    const stored = await ada.api.post(`/sensors/${again}/data`, text, CSV);
    assert.deepEqual([stored.status, stored.body], [201, { data: { accepted: 2 } }]);
    assert.deepEqual(await valuesOf(again), [
      [DATE, '{"a":1,"nested":{"b":[1,2]},"z,y":"text"}'],
      [DATE + 1, '{"B":true,"a":null}'],
    ]);
    await upload(ada, plain, [
      { value: 5, date: DATE },
      { value: 6, date: DATE + 2 },
    ]);
    await upload(ada, id, { value: 'plain', date: DATE + 2 });
    const both = await read(`/sensors/data.csv?sensor_id[]=${plain}&sensor_id[]=${id}&start_date=${DATE + 1}`);
    assert.deepEqual(both.text.split('\r\n'), [
      'sensor_id,date,value,value.B,value.a',
      `${id},${DATE + 1},,true,null`,
      `${id},${DATE + 2},plain,,`,
      `${plain},${DATE + 2},6,,`,
      '',
    ]);
    const restored = await ada.api.post('/sensors/data', both.text, CSV);
    assert.deepEqual(restored.body, { data: { accepted: 3 } });
  });

  it('has a line for each date and named columns for each sensor', async () => {
    const freezer = await buildSensor(ada, {
      name: 'f1',
      display_name: 'Gefrierschrank 1',
      unit: '°C',
      data_type: 'float',
    });
    const hall = await buildSensor(ada, { name: 'Hall', data_type: 'json', field_units: { humidity: '%' } });
    const twins = [await buildSensor(ada, { name: 'twin' }), await buildSensor(ada, { name: 'Twin' })];
    await upload(ada, freezer, [
      { value: -20.5, date: DATE + 0.125 },
      { value: -19, date: DATE + 60 },
    ]);
    await upload(ada, hall, [{ value: { humidity: 51.5, door: 'open; "wide"' }, date: DATE + 60 }]);
    await upload(ada, twins[1] ?? '', [{ value: 7, date: DATE + 120 }]);
    const ids = [freezer, hall, ...twins].map((id) => `sensor_id[]=${id}`).join('&');
    const { text, name } = await read(`/sensors/data.csv?${ids}&columns=sensors&dates=local&timezone=Europe/Berlin`);
    assert.equal(name, 'attachment; filename="sensors.csv"');
    assert.deepEqual(text.split('\r\n'), [
      `date (Europe/Berlin),Gefrierschrank 1 (°C),Hall door,Hall humidity (%),twin (id ${twins[0]}),Twin (id ${twins[1]})`,
      '2026-11-21 03:52:24,-20.5,,,,',
      '2026-11-21 03:53:24,-19,"open; ""wide""",51.5,,',
      '2026-11-21 03:54:24,,,,,7',
      '',
    ]);
    const descending = await read(`/sensors/data.csv?${ids}&columns=sensors&sort=DESC&separator=semicolon`);
    assert.deepEqual(descending.text.split('\r\n').slice(1, 3), [
      `${DATE + 120};;;;;7`,
      `${DATE + 60};-19;"open; ""wide""";51,5;;`,
    ]);
    const hourly = await read(
      `/sensors/data.csv?sensor_id[]=${freezer}&sensor_id[]=${twins[1]}&columns=sensors&interval=3600&aggregate=all&dates=iso`,
    );
    assert.deepEqual(hourly.text.split('\r\n'), [
      'date,Gefrierschrank 1 (°C),Gefrierschrank 1 min (°C),Gefrierschrank 1 max (°C),Gefrierschrank 1 count,Twin,Twin min,Twin max,Twin count',
      '2026-11-21T02:00:00.000Z,-19.75,-20.5,-19,2,7,7,7,1',
      '',
    ]);
    const one = await read(`/sensors/${freezer}/data.csv?columns=sensors&dates=local&timezone=Europe/Berlin`);
    assert.equal(
      one.name,
      'attachment; filename="Gefrierschrank 1 (_C).csv"; filename*=UTF-8\'\'Gefrierschrank%201%20%28%C2%B0C%29.csv',
    );
    assert.equal(one.text.split('\r\n')[0], 'date (Europe/Berlin),Gefrierschrank 1 (°C)');
    const { stored } = readFile(one.text);
    assert.deepEqual(stored, { '2026-11-21T02:52:24.000Z': '-20.5', '2026-11-21T02:53:24.000Z': '-19' });
    for (const wrong of ['columns=rows', 'dates=excel', 'dates=local&timezone=Berlin']) {
      assert.equal((await ada.api.get(`/sensors/${freezer}/data.csv?${wrong}`)).status, 400, wrong);
    }
  });

  it('has semicolons and decimal commas for spreadsheets that use them, and is the same when uploaded again', async () => {
    const types = { float: 'float', json: 'json', text: 'string' };
    const build = async () => ({
      float: await buildSensor(ada, { data_type: types.float }),
      json: await buildSensor(ada, { data_type: types.json }),
      text: await buildSensor(ada, { data_type: types.text }),
    });
    const [from, to] = [await build(), await build()];
    await upload(ada, from.float, [
      { value: 21.5, date: DATE + 0.125 },
      { value: -1.25e-7, date: DATE + 1 },
      { value: 7, date: DATE + 2 },
      { value: 'a;b, c', date: DATE + 3 },
      { value: 21.125, date: DATE + 4 },
    ]);
    await upload(ada, from.json, [
      { value: { t: 1.5, 'u;v': 2.25, name: 'a,b', list: [1.5, 2] }, date: DATE },
      { value: { t: 2, version: '1.10' }, date: DATE + 1 },
    ]);
    await upload(ada, from.text, [
      { value: '1.10', date: DATE },
      { value: '21,5', date: DATE + 1 },
      { value: '1.013', date: DATE + 2 },
    ]);
    const spreadsheet = 'separator=semicolon&bom=1';
    const text = (await read(`/sensors/${from.float}/data.csv?${spreadsheet}`)).text;
    assert.deepEqual(text.replace('\ufeff', '').split('\r\n'), [
      'date;value',
      `${DATE + 0.125};21,5`,
      `${DATE + 1};-1,25e-7`,
      `${DATE + 2};7`,
      `${DATE + 3};"a;b, c"`,
      `${DATE + 4};21,125`,
      '',
    ]);
    const json = await read(`/sensors/${from.json}/data.csv?dates=iso&separator=SEMICOLON`);
    assert.deepEqual(json.text.split('\r\n'), [
      'date;value.list;value.name;value.t;"value.u;v";value.version',
      '2026-11-21T02:52:24.000Z;[1.5,2];a,b;1,5;2,25;',
      '2026-11-21T02:52:25.000Z;;;2;;1,10',
      '',
    ]);
    for (const kind of ['float', 'json', 'text'] as const) {
      const { text: file } = await read(`/sensors/${from[kind]}/data.csv?${spreadsheet}`);
      const { status, body } = await ada.api.post(`/sensors/${to[kind]}/data`, file, CSV);
      assert.equal(status, 201, JSON.stringify(body));
      const sorted = (points: [number, string][]) =>
        points.map(([date, value]) => [date, kind === 'json' ? JSON.parse(value) : value]);
      assert.deepEqual(sorted(await valuesOf(to[kind])), sorted(await valuesOf(from[kind])), kind);
    }
    const both = await read(`/sensors/data.csv?sensor_id[]=${from.float}&sensor_id[]=${from.text}&${spreadsheet}`);
    assert.match(both.text, /;21,5\r\n/);
    assert.match(both.text, /;1\.10\r\n/);
    assert.equal((await ada.api.post('/sensors/data', both.text, CSV)).status, 201);
    assert.deepEqual((await valuesOf(from.text))[0], [DATE, '1.10']);
    const hours = await read(`/sensors/${to.json}/data.csv?interval=3600&aggregate=all&separator=semicolon`);
    assert.match(hours.text, /;1,75;/, 'means, too');
    assert.equal(
      (await read(`/sensors/${from.text}/data.csv?separator=comma&last=1`)).text.split('\r\n')[0],
      'date,value',
    );
    for (const path of [`/sensors/${from.float}/data.csv`, `/sensors/${from.float}/data`]) {
      const { status, body } = await ada.api.get(`${path}?separator=tab`);
      assert.deepEqual([status, body.error], [400, 'separator must be one of comma, semicolon']);
    }
  });

  it('is the whole range, in order, also of points with the same date and by intervals', async () => {
    const ids = [await buildSensor(ada), await buildSensor(ada), await buildSensor(ada)];
    for (const id of ids) {
      await upload(
        ada,
        id,
        Array.from({ length: 2_500 }, (_, index) => ({ value: index, date: DATE + index * 60 })),
      );
    }
    const query = ids.map((id) => `sensor_id[]=${id}`).join('&');
    for (const sort of ['ASC', 'DESC']) {
      const lines = (await read(`/sensors/data.ndjson?${query}&sort=${sort}`)).text.trim().split('\n');
      const points = lines.map((line) => JSON.parse(line));
      assert.equal(points.length, 7_500);
      assert.equal(new Set(points.map(({ sensor_id, id }) => `${sensor_id} ${id}`)).size, 7_500);
      const dates = points.map(({ date }) => date);
      assert.deepEqual(
        dates,
        [...dates].sort((a, b) => (sort === 'ASC' ? a - b : b - a)),
      );
    }
    const hours = (await read(`/sensors/${ids[0]}/data.csv?interval=3600`)).text.trim().split('\r\n');
    const { body } = await ada.api.get(`/sensors/${ids[0]}/data?interval=3600&per_page=1000`);
    assert.deepEqual(
      hours.slice(1),
      body.data.map(({ date, value }: { date: number; value: string }) => `${date},${value}`),
    );
    const down = (await read(`/sensors/${ids[0]}/data.csv?interval=60&sort=DESC`)).text.trim().split('\r\n');
    assert.equal(down.length, 2_501);
    const newest = await read(`/sensors/data.csv?${query}&last=1`);
    assert.equal(newest.text.split('\r\n').length, 5);
    assert.equal((await read(`/sensors/${await buildSensor(ada)}/data.csv`)).text, 'date,value\r\n');
  });

  it('is dated in ISO 8601 wherever a date is taken', async () => {
    const id = await buildSensor(ada);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const seconds = Date.parse(later) / 1000;
    await upload(ada, id, { data: [{ value: 1, date: '2026-11-21T10:00:00.125+00:00' }] });
    await upload(ada, id, { value: 2, date: '2026-11-21T10:00:01Z' });
    const { body: exact } = await ada.api.get(`/sensors/${id}/data?date=2026-11-21T10:00:00.125Z`);
    assert.equal(exact.data[0].value, '1');
    const { body: range } = await ada.api.get(`/sensors/${id}/data?start_date=2026-11-21T11:00:01+01:00`);
    assert.equal(range.data.length, 1, 'also with a plus that was not escaped');
    const key = await ada.api.post('/keys', { key: { name: 'k', scopes: ['read'], expires: later } });
    assert.equal(key.body.key.expires, seconds);
    const trigger = await buildTrigger(ada, { expression: 'sensor_data_value > 1' });
    await connectTrigger(ada, id, trigger);
    const muted = await ada.api.put(`/sensors/${id}/triggers/${trigger}`, { trigger: { muted_until: later } });
    assert.equal(muted.body.trigger.muted_until, seconds);
    const lifted = await ada.api.put(`/sensors/${id}/triggers/${trigger}`, { trigger: { muted_until: null } });
    assert.equal(lifted.body.trigger.muted_until, null);
    const mute = await ada.api.post('/mutes', { mute: { name: 'm', start: '2026-11-21T10:00:00Z', end: later } });
    assert.equal(mute.body.mute.end, seconds);
    const backtest = { sensor_id: id, start_date: '2026-11-21T10:00:00Z', end_date: '2026-11-21T10:00:05Z' };
    const { body: tried } = await ada.api.post(`/triggers/${trigger}/backtest`, backtest);
    assert.equal(tried.error, undefined, JSON.stringify(tried));
    assert.equal((await ada.api.get('/firings?start_date=2026-11-21T10:00:00Z')).status, 200);
    for (const spelled of ['2026-11-21 10:00:01Z', '20261121T110001%2B01', '2026-11-21%2010:00:01 +0000%20']) {
      const { body } = await ada.api.get(`/sensors/${id}/data?date=${spelled.replaceAll(' ', '%20')}`);
      assert.equal(body.data?.[0]?.value, '2', spelled);
    }
    const other = await buildSensor(ada);
    const spelled = ['2026-11-21 10:00:01+00:00', ' 20261121T100001.5Z', '2026-11-21 11:00:02+01'];
    await upload(ada, other, { data: spelled.map((date, value) => ({ value, date })) });
    const csv = await ada.api.post(`/sensors/${other}/data`, 'date,value\n 2026-11-21 10:00:03Z ,3\n', CSV);
    assert.equal(csv.status, 201, JSON.stringify(csv.body));
    const start = Date.UTC(2026, 10, 21, 10) / 1000;
    assert.deepEqual(
      (await valuesOf(other)).map(([date]: [number]) => date - start),
      [1, 1.5, 2, 3],
    );
    for (const date of ['2026-11-21', '2026-11-21T10:00:00', 'tomorrow', '2026-02-30T00:00:00Z']) {
      const { status, body } = await ada.api.get(`/sensors/${id}/data?start_date=${date}`);
      assert.equal(status, 400);
      assert.match(body.fields.start_date, /^must be a time in unix seconds, or in ISO 8601/);
    }
  });

  it('waits for a slow client without a connection to MySQL', async () => {
    const id = await buildSensor(ada);
    const value = 'x'.repeat(1_000);
    await upload(
      ada,
      id,
      Array.from({ length: 10_000 }, (_, index) => ({ value, date: DATE + index })),
    );
    const { port } = new URL(platform.url);
    const headers = { 'X-SESSION_ID': ada.session };
    const clients = Array.from({ length: 3 }, () => request({ port, path: `/sensors/${id}/data.csv`, headers }).end());
    const responses = await Promise.all(
      clients.map((client) => new Promise<NodeJS.ReadableStream>((resolve) => client.once('response', resolve))),
    );
    await until('nothing is read any more', async () => {
      const running =
        "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE info LIKE '%/* read%' AND info NOT LIKE '%processlist%'";
      return Number((await platform.query(running))[0]?.n) === 0;
    });
    const bob = await platform.user();
    assert.equal((await bob.api.get(`/sensors/${await buildSensor(bob)}/data.csv`)).status, 200);
    for (const response of responses) {
      let bytes = 0;
      for await (const chunk of response) bytes += chunk.length;
      assert.ok(bytes > 10_000_000);
    }
  });
});
