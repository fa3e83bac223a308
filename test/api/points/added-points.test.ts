import assert from 'node:assert/strict';
import { buildSensor, createKey } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

describe('uploads by GET', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  const send = async (path: string, method = 'GET', headers: Record<string, string> = {}) => {
    const response = await fetch(platform.url + path, { method, headers });
    const text = await response.text();
    return { status: response.status, body: text && JSON.parse(text), headers: response.headers };
  };
  const values = async (id: string) =>
    (await user.api.get(`/sensors/${id}/data`)).body.data.map(({ value }: { value: string }) => value);

  it('store a point for a device that can do nothing else', async () => {
    const id = await buildSensor(user);
    const key = await createKey(user, { scopes: ['data:write'], sensors: [id] });
    const added = await send(`/sensors/${id}/data/add?value=21.5&API_KEY=${key.secret}`);
    assert.deepEqual([added.status, added.body], [200, { data: { accepted: 1 } }]);
    assert.equal(added.headers.get('cache-control'), 'no-store');
    const dated = await send(`/sensors/${id}/data/add?value=off&date=2026-11-20T10:00:00Z&API_KEY=${key.secret}`);
    assert.equal(dated.status, 200);
    const { body } = await user.api.get(`/sensors/${id}/data`);
    assert.deepEqual(
      body.data.map((point: { value: string; date: number }) => point.value),
      ['off', '21.5'],
    );
    assert.equal(body.data[0].date, Date.parse('2026-11-20T10:00:00Z') / 1000);
  });

  it('need a value, the scope and one’s own sensor', async () => {
    const id = await buildSensor(user);
    const reader = await createKey(user, { scopes: ['read'] });
    const other = await platform.user();
    const missing = await user.api.get(`/sensors/${id}/data/add`);
    assert.deepEqual([missing.status, Object.keys(missing.body.fields)], [400, ['value']]);
    assert.equal((await send(`/sensors/${id}/data/add?value=1&API_KEY=${reader.secret}`)).status, 403);
    assert.equal((await other.api.get(`/sensors/${id}/data/add?value=1`)).status, 404);
    assert.equal((await send(`/sensors/${id}/data/add?value=1`)).status, 401);
    assert.deepEqual(await values(id), []);
  });

  it('are not made by those who only look at an address, nor by a page of another site', async () => {
    const id = await buildSensor(user);
    const path = `/sensors/${id}/data/add?value=1`;
    const head = await send(path, 'HEAD', { 'X-SESSION_ID': user.session });
    assert.deepEqual([head.status, head.headers.get('allow')], [405, 'GET']);
    const foreign = { Cookie: `session_id=${user.session}`, 'Sec-Fetch-Site': 'cross-site' };
    assert.equal((await send(path, 'GET', foreign)).status, 403);
    assert.deepEqual(await values(id), []);
  });

  it('are named to a device that sends a value to the path that reads', async () => {
    const id = await buildSensor(user);
    for (const path of [`/sensors/${id}/data?value=21.5`, `/sensors/data?sensor_id[]=${id}&value=21.5`]) {
      const { status, body } = await user.api.get(path);
      assert.deepEqual([status, Object.keys(body.fields)], [400, ['value']]);
      assert.match(body.error, /to store a value.*\/sensors\/\{id\}\/data\/add/);
    }
    const key = await createKey(user, { scopes: ['data:write'], sensors: [id] });
    const { status, body } = await send(`/sensors/${id}/data?value=21.5&API_KEY=${key.secret}`);
    assert.deepEqual([status, body.code], [400, 'invalid_input'], 'even if its key may not read');
    assert.deepEqual(await values(id), []);
  });
});

describe('a copy of the points of another sensor', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  it('is taken in lines that all name the same one, and refused where they name several', async () => {
    const [source, target] = [await buildSensor(user), await buildSensor(user)];
    await user.api.post(`/sensors/${source}/data`, { data: [1, 2].map((value) => ({ value, date: value })) });
    const read = (suffix: string) =>
      fetch(`${platform.url}/sensors/${source}/data.${suffix}`, { headers: { 'X-SESSION_ID': user.session } });
    const send = (body: string, type: string) =>
      fetch(`${platform.url}/sensors/${target}/data`, {
        method: 'POST',
        headers: { 'X-SESSION_ID': user.session, 'Content-Type': type },
        body,
      });
    assert.equal((await send(await (await read('ndjson')).text(), 'application/x-ndjson')).status, 201);
    assert.equal((await send(`sensor_id,date,value\n${source},3,3\n${source},4,4\n`, 'text/csv')).status, 201);
    const { body } = await user.api.get(`/sensors/${target}/data`);
    assert.deepEqual(
      body.data.map(({ value }: { value: string }) => value),
      ['1', '2', '3', '4'],
    );
    const several = await send(`sensor_id,date,value\n${source},5,5\n${target},6,6\n`, 'text/csv');
    assert.equal(several.status, 400);
    assert.match(await several.text(), /line 3 sensor_id.*names another sensor than the lines before it/);
  });
});
