import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { createKey } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';

describe('the interface of InfluxDB', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);

  const keyOf = async (fields: object = {}) =>
    (await createKey(user, { scopes: ['data:write', 'sensors:create'], ...fields })).secret;
  const write = async (
    key: string,
    body: string | Buffer,
    {
      path = '/api/v2/write?org=home&bucket=b',
      headers = {},
    }: { path?: string; headers?: Record<string, string> } = {},
  ) => {
    const response = await fetch(platform.url + path, {
      method: 'POST',
      headers: { authorization: `Token ${key}`, 'content-type': 'text/plain; charset=utf-8', ...headers },
      body: new Uint8Array(Buffer.from(body)),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const series = async () => (await user.api.get('/series')).body.series;
  const dataOf = async (sensorId: string) =>
    (await user.api.get(`/sensors/${sensorId}/data`)).body.data.map(
      ({ value, date }: { value: string; date: number }) => [value, date],
    );

  it('makes a sensor for a series on first sight, with its tags, and stores its point', async () => {
    const key = await keyOf();
    const line = 'weather,station=roof,city=Delft temperature=21.5,humidity=60i 1795229544125999999';
    assert.deepEqual(await write(key, line), { status: 204, body: undefined });
    const [{ sensor_id: sensorId, ...record }] = await series();
    assert.deepEqual(
      { ...record, id: undefined, created: undefined },
      {
        id: undefined,
        created: undefined,
        name: 'weather,city=Delft,station=roof',
        source: 'influx',
        namespace: 'influx',
        last: 1795229544.125,
      },
    );
    const { sensor } = (await user.api.get(`/sensors/${sensorId}`)).body;
    assert.deepEqual([sensor.name, sensor.device_type, sensor.data_type], ['weather', 'influx', 'json']);
    const { metatags } = (await user.api.get(`/sensors/${sensorId}/metatags?namespace=influx`)).body;
    assert.deepEqual(metatags, { city: ['Delft'], station: ['roof'] });
    assert.deepEqual(await dataOf(sensorId), [['{"temperature":21.5,"humidity":60}', 1795229544.125]]);
  });

  it('stores a single field called value plainly, whatever the order of the tags', async () => {
    const key = await keyOf();
    await write(
      key,
      'door,room=hall,floor=2 value=1 1795229544000000000\ndoor,floor=2,room=hall value=0 1795229545000000000',
    );
    const [{ sensor_id: sensorId }, ...others] = await series();
    assert.deepEqual(others, []);
    assert.equal((await user.api.get(`/sensors/${sensorId}`)).body.sensor.data_type, 'float');
    assert.deepEqual(await dataOf(sensorId), [
      ['1', 1795229544],
      ['0', 1795229545],
    ]);
  });

  it('makes one sensor when several connections report a new series at the same moment', async () => {
    const key = await keyOf();
    const statuses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => write(key, `cpu,host=a value=${index} ${1795229544000 + index}000000`)),
    );
    assert.deepEqual(new Set(statuses.map(({ status }) => status)), new Set([204]));
    const all = await series();
    assert.equal(all.length, 1);
    assert.equal((await dataOf(all[0].sensor_id)).length, 12);
    assert.equal((await user.api.get('/sensors?total=1')).body.total, 1);
  });

  it('names lines that can never be read, and stores the others', async () => {
    const key = await keyOf();
    const body = 'a value=1 1795229544000000000\nb value=\n# comment\n\nc value=3 soon\nd value=4 1795229544000000000';
    const refused = await write(key, body);
    assert.equal(refused.status, 400);
    assert.deepEqual([refused.body.code, /line 2 .*line 5 /s.test(refused.body.message)], ['invalid', true]);
    assert.match(refused.body.message, /^2 lines are stored, 2 are not/);
    assert.deepEqual(
      (await series()).map(({ name }: { name: string }) => name),
      ['a', 'd'],
    );
  });

  it('refuses lines before 2001 and more than a day ahead, names the precision that fits, and stores nothing of them', async () => {
    const key = await keyOf();
    const ahead = Math.floor(Date.now() / 1000) + 2 * 86_400;
    const seconds = await write(key, 'a value=1 1795229544\nb value=2 1795229544125999999');
    assert.equal(seconds.status, 400);
    assert.match(seconds.body.message, /^1 lines are stored, 1 are not: line 1 .*1970-01-01.* with precision=s$/);
    const path = '/api/v2/write?precision=s';
    for (const [date, why] of [
      [1795229544125, /after 9999.* with precision=ms$/],
      [ahead, /check the clock and the precision$/],
      [0, /1970-01-01T00:00:00\.000Z.*check the clock and the precision$/],
    ] as const) {
      const { status, body } = await write(key, `a value=1 ${date}`, { path });
      assert.equal(status, 400);
      assert.match(body.message, why);
    }
    assert.deepEqual(
      (await series()).map(({ name }: { name: string }) => name),
      ['b'],
    );
  });

  it('stores the series that a key may write, and says 403 for those that it may not make', async () => {
    await write(await keyOf(), 'known value=1 1795229544000000000');
    const key = await keyOf({ scopes: ['data:write'] });
    const refused = await write(key, 'known value=2 1795229545000000000\nother value=1 1795229545000000000');
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
    assert.match(refused.body.message, /sensors:create to make sensors for other$/);
    const [{ sensor_id: sensorId }, ...others] = await series();
    assert.equal(others.length, 0);
    assert.equal((await dataOf(sensorId)).length, 2);
  });

  it('makes at most as many sensors as the key carries', async () => {
    const key = await keyOf({ create_limit: 2 });
    const refused = await write(
      key,
      ['a', 'b', 'c', 'd'].map((name) => `${name} value=1 1795229545000000000`).join('\n'),
    );
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /no sensors were made for c, d: the limit \(create_limit\) is 2/);
    assert.equal((await series()).length, 2);
  });

  it('makes many sensors in several transactions, up to the limit in all', async () => {
    const key = await keyOf({ create_limit: 1_500 });
    const lines = Array.from({ length: 2_500 }, (_, index) => `m,i=${index} value=1 1795229545000000000`);
    const refused = await write(key, lines.join('\n'));
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /the limit \(create_limit\) is 1500/);
    const [row] = await platform.query(
      'SELECT COUNT(DISTINCT n.sensor_id) AS made, COUNT(p.sensor_id) AS points FROM series n JOIN data_points p USING (sensor_id) WHERE n.owner_id = ?',
      [user.id],
    );
    assert.deepEqual([Number(row?.made), Number(row?.points)], [1_500, 1_500]);
  });

  it('dates different values of one millisecond apart, and stores a repeated request once', async () => {
    const key = await keyOf();
    const body =
      'a value=1 1795229544000000001\na value=2 1795229544000000002\na value=2 1795229544000000002\na value=3 1795229544001000000';
    for (let time = 0; time < 2; time += 1) assert.equal((await write(key, body)).status, 204);
    const [{ sensor_id: sensorId }] = await series();
    assert.deepEqual(await dataOf(sensorId), [
      ['1', 1795229544],
      ['2', 1795229544.001],
      ['3', 1795229544.002],
    ]);
  });

  it('takes the ways of version 1: parameters, Basic and precisions', async () => {
    const key = await keyOf();
    const basic = `Basic ${Buffer.from(`anyone:${key}`).toString('base64')}`;
    const path = '/write?db=home&rp=auto&precision=s';
    assert.equal((await write(key, 'a value=1 1795229544', { path, headers: { authorization: basic } })).status, 204);
    const bare = await fetch(`${platform.url}/write?db=home&u=anyone&p=${key}&precision=m`, {
      method: 'POST',
      body: 'a value=2 29920493',
    });
    assert.equal(bare.status, 204);
    const [{ sensor_id: sensorId }] = await series();
    assert.deepEqual(await dataOf(sensorId), [
      ['1', 1795229544],
      ['2', 29_920_493 * 60],
    ]);
  });

  it('refuses a key in the address that may do more than add data, and takes it in a header', async () => {
    for (const scope of ['read', 'write']) {
      const key = await keyOf({ scopes: ['data:write', 'sensors:create', scope] });
      for (const [method, path] of [
        ['POST', '/write'],
        ['POST', '/api/v2/write'],
        ['POST', '/query'],
        ['GET', '/query'],
      ] as const) {
        const url = `${platform.url}${path}?db=home&u=anyone&p=${key}&q=SHOW%20DATABASES`;
        const form = path === '/query' ? new URLSearchParams({ q: 'SHOW DATABASES' }) : 'a value=1';
        const body = method === 'POST' ? form : undefined;
        const refused = await fetch(url, { method, body });
        assert.equal(refused.status, 403, `${method} ${path}`);
        assert.match(
          await refused.text(),
          /a key in an address may have the scopes data:write and sensors:create alone/,
        );
      }
      const basic = `Basic ${Buffer.from(`anyone:${key}`).toString('base64')}`;
      assert.equal((await write(key, 'a value=1', { path: '/write', headers: { authorization: basic } })).status, 204);
      assert.equal((await write(key, 'a value=1')).status, 204);
    }
  });

  it('takes 100,000 lines in one compressed request', async function () {
    this.timeout(60_000);
    const key = await keyOf();
    const lines = Array.from(
      { length: 100_000 },
      (_, index) => `m,h=h${index % 50} value=${index} ${1795229544000 + index}000000`,
    );
    assert.equal(
      (await write(key, gzipSync(lines.join('\n')), { headers: { 'content-encoding': 'gzip' } })).status,
      204,
    );
    const [row] = await platform.query(
      'SELECT COUNT(*) AS total FROM data_points p JOIN sensors s ON s.id = p.sensor_id WHERE s.owner_id = ?',
      [user.id],
    );
    assert.equal(Number(row?.total), 100_000);
  });

  it('says 413 to more than 100,000 lines, which agents divide, and stores none of them', async () => {
    const lines = Array.from({ length: 100_001 }, (_, index) => `m value=1 ${index}`);
    const refused = await write(await keyOf(), lines.join('\n'));
    assert.deepEqual([refused.status, refused.body.code], [413, 'request too large']);
    assert.deepEqual(await series(), []);
  });

  it('says 401 for a bad key and 400 for a bad precision, in the form of InfluxDB', async () => {
    const refused = await write('key_nobody', 'a value=1');
    assert.deepEqual([refused.status, refused.body.code], [401, 'unauthorized']);
    const bare = await fetch(`${platform.url}/api/v2/write`, { method: 'POST', body: 'a value=1' });
    assert.deepEqual([bare.status, /Authorization: Token/.test(await bare.text())], [401, true]);
    const wrong = await write(await keyOf(), 'a value=1', { path: '/api/v2/write?precision=fortnight' });
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid']);
  });

  it('answers what clients ask before they write', async () => {
    const ping = await fetch(`${platform.url}/ping`, { method: 'HEAD' });
    assert.deepEqual([ping.status, ping.headers.get('x-influxdb-version') !== null], [204, true]);
    const verbose = await fetch(`${platform.url}/ping?verbose=true&u=anyone&p=anything`);
    assert.deepEqual([verbose.status, JSON.parse(await verbose.text()).version !== undefined], [200, true]);
    assert.match(await (await fetch(`${platform.url}/health`)).text(), /"status":"pass"/);
    const created = await fetch(`${platform.url}/query?q=CREATE%20DATABASE%20home`, {
      method: 'POST',
      headers: { authorization: `Token ${await keyOf()}` },
    });
    assert.deepEqual(await created.json(), { results: [{ statement_id: 0 }] });
  });

  it('shows the database that a client wants, so that it begins to write', async () => {
    const authorization = `Token ${await keyOf()}`;
    const shown = async (query: string, init: RequestInit = {}) => {
      const response = await fetch(`${platform.url}/query?${query}`, { headers: { authorization }, ...init });
      return (await response.json()).results[0].series;
    };
    const named = (name: string) => [{ name: 'databases', columns: ['name'], values: [[name]] }];
    assert.deepEqual(await shown('q=SHOW+DATABASES&db=glances'), named('glances'));
    assert.deepEqual(await shown('q=show%20databases'), named('sensors'));
    const form = { method: 'POST', body: new URLSearchParams({ q: 'SHOW DATABASES', db: 'home' }) };
    assert.deepEqual(await shown('', form), named('home'));
    assert.equal(await shown('q=SHOW+RETENTION+POLICIES&db=home'), undefined);
  });

  it('is named where lines are sent to the data of a sensor', async () => {
    const id = (await user.api.post('/sensors', { sensor: { name: 's' } })).body.sensor.id;
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
      for (const body of ['air,room=a t=21.5 1795229544', 'air t=21.5', 'air\\ x value="a"\nair value=1i']) {
        const headers = { 'X-SESSION_ID': user.session, 'Content-Type': type };
        const response = await fetch(`${platform.url}/sensors/${id}/data`, { method: 'POST', headers, body });
        assert.equal(response.status, 400);
        assert.match((await response.json()).error, /line protocol of InfluxDB: send it to \/api\/v2\/write/, body);
      }
    }
  });

  it('leads a series to another sensor of its owner, and forgets it', async () => {
    const key = await keyOf();
    await write(key, 'a value=1 1795229544000000000');
    const other = (await user.api.post('/sensors', { sensor: { name: 'other' } })).body.sensor.id;
    const [{ id }] = await series();
    const led = await user.api.put(`/series/${id}`, { sensor_id: other });
    assert.deepEqual([led.status, led.body.series.sensor_id], [200, other]);
    await write(key, 'a value=2 1795229545000000000');
    assert.deepEqual(await dataOf(other), [['2', 1795229545]]);
    assert.equal((await user.api.delete(`/series/${id}`)).status, 200);
    assert.deepEqual(await series(), []);
  });

  it('makes a sensor again after its deletion', async () => {
    const key = await keyOf();
    await write(key, 'a value=1 1795229544000000000');
    const [{ sensor_id: first }] = await series();
    await user.api.delete(`/sensors/${first}`);
    assert.equal((await write(key, 'a value=2 1795229545000000000')).status, 204);
    const [{ sensor_id: second }] = await series();
    assert.notEqual(second, first);
    assert.deepEqual(await dataOf(second), [['2', 1795229545]]);
  });
});
