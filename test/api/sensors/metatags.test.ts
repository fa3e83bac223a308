import assert from 'node:assert/strict';
import { buildSensor, share } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

describe('the metatags of a sensor', () => {
  const platform = usePlatform();
  const owner = useUser(platform);
  const friend = useUser(platform);
  let sensor: string;

  beforeEach(async () => {
    sensor = await buildSensor(owner, { name: 'lamp' });
  });

  const path = (namespace?: string) => `/sensors/${sensor}/metatags${namespace ? `?namespace=${namespace}` : ''}`;
  const put = (metatags: unknown, namespace?: string, by = owner) => by.api.put(path(namespace), { metatags });
  const read = async (namespace?: string) => (await owner.api.get(path(namespace))).body;

  it('are replaced as a whole by PUT and keep their order and types', async () => {
    assert.deepEqual(await read(), { metatags: {} });
    await put({ room: ['kitchen'], old: [1] });
    const response = await put({ room: ['hall', 'kitchen'], floor: [2, '2', 0.5, true] });
    assert.deepEqual(
      [response.status, response.body],
      [200, { metatags: { room: ['hall', 'kitchen'], floor: [2, '2', 0.5, true] } }],
    );
    assert.deepEqual(await read(), { metatags: { floor: [2, '2', 0.5, true], room: ['hall', 'kitchen'] } });
  });

  it('are merged name by name by POST', async () => {
    await put({ room: ['kitchen'], floor: [1] });
    const response = await owner.api.post(path(), { metatags: { floor: [2], lit: true } });
    assert.equal(response.status, 201);
    assert.deepEqual(response.body.metatags, { room: ['kitchen'], floor: [2], lit: [true] });
  });

  it('may differ by a trailing space', async () => {
    const metatags = { a: ['x', 'x '], 'a ': ['x'] };
    assert.equal((await put(metatags)).status, 200);
    assert.deepEqual(await read(), { metatags });
  });

  it('are deleted in one namespace only', async () => {
    await put({ a: [1] });
    await put({ b: [2] }, 'other');
    const response = await owner.api.delete(path());
    assert.deepEqual([response.status, response.body], [200, { metatags: {} }]);
    assert.deepEqual(await read('other'), { metatags: { b: [2] } });
    assert.deepEqual(await read('default'), { metatags: {} });
  });

  it('are deleted in the namespace that a POST with _METHOD=DELETE names in its body', async () => {
    await put({ a: [1] });
    await put({ b: [2] }, 'other');
    const header = { 'Content-Type': 'application/x-www-form-urlencoded' };
    assert.equal((await owner.api.post(path(), '_METHOD=DELETE&namespace=other', header)).status, 200);
    assert.deepEqual([await read(), await read('other')], [{ metatags: { a: [1] } }, { metatags: {} }]);
  });

  it('may have names with a special meaning in JavaScript', async () => {
    const metatags = { constructor: ['x'], ['__proto__']: ['p', 'q'], toString: [1], hasOwnProperty: ['y'] };
    assert.equal((await put(metatags)).status, 200);
    assert.deepEqual(await read(), { metatags });
    const statement = { metatag_name: '__proto__', operator: 'equal', value: 'Q' };
    const found = await owner.api.post('/sensors/find', { filter: { metatag_statement_groups: [[statement]] } });
    assert.deepEqual(found.body.sensors, [{ id: sensor, name: 'lamp', metatags }]);
    assert.deepEqual((await owner.api.get('/metatag_name/__proto__/distinct_values')).body.distinct_values, ['p', 'q']);
  });

  const names = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`tag${index}`, [1]]));
  for (const [what, metatags] of [
    ['a name of 33 characters', { ['n'.repeat(33)]: ['x'] }],
    ['a name that is not ASCII', { café: ['x'] }],
    ['an empty name', { '': ['x'] }],
    ['a value of 101 characters', { a: ['🙂'.repeat(101)] }],
    ['an object as a value', { a: [{}] }],
    ['null as a value', { a: [null] }],
    ['31 names', names(31)],
    ['1,001 values in total', { a: Array(600).fill('x'), b: Array(401).fill('y') }],
    ['a list instead of an object', ['a']],
  ] as const) {
    it(`are refused with ${what}, and nothing changes`, async () => {
      await put({ kept: ['yes'] });
      const response = await put(metatags);
      assert.equal(response.status, 400);
      assert.match(Object.keys(response.body.fields)[0] ?? '', /^metatags/);
      assert.deepEqual(await read(), { metatags: { kept: ['yes'] } });
    });
  }

  it('are limited to 30, counted after a merge, with names of 32 and values of 100 characters', async () => {
    assert.equal((await put(names(30))).status, 200);
    assert.equal((await owner.api.post(path(), { metatags: { tag3: [2] } })).status, 201);
    assert.equal((await owner.api.post(path(), { metatags: { more: [2] } })).status, 400);
    assert.equal(Object.keys((await read()).metatags).length, 30);
    const longest = { ['n'.repeat(32)]: ['🙂'.repeat(100), '\u0001'.repeat(100), 'İ'.repeat(100)] };
    assert.equal((await put(longest)).status, 200);
    assert.deepEqual(await read(), { metatags: longest });
  });

  it('are limited to 1,000 values over all names of a namespace, counted after a merge', async () => {
    const post = (metatags: object, query = '') => owner.api.post(`${path()}${query}`, { metatags });
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
    assert.equal((await put({ a: numbers(999), b: [1] })).status, 200);
    const refused = await post({ c: ['one more'] });
    assert.equal(refused.status, 400);
    assert.match(refused.body.fields.metatags, /1001 values; a sensor has at most 1000/);
    assert.deepEqual(await read(), { metatags: { a: numbers(999), b: [1] } });
    assert.equal((await post({ b: [1, 2] })).status, 400);
    assert.equal((await post({ b: ['another'] })).status, 201);
    assert.equal((await post({ c: ['elsewhere'] }, '?namespace=other')).status, 201);
    assert.equal((await post({ a: numbers(998), c: ['one more'] })).status, 201);
  });

  it('may be reduced step by step when there were already too many', async () => {
    const post = (metatags: object) => owner.api.post(path(), { metatags });
    const rows = Array.from({ length: 1_500 }, (_, at) => {
      const text = String(at % 500);
      return [sensor, 'default', `n${Math.floor(at / 500)}`, at % 500, owner.id, text, text];
    });
    const columns = 'sensor_id, namespace, name, position, owner_id, value, value_key';
    await platform.container.database.pool.query(`INSERT INTO metatags (${columns}) VALUES ?`, [rows]);
    const refused = await post({ more: [1] });
    assert.match(refused.body.fields.metatags, /1501 values; a sensor has at most 1000/);
    assert.equal((await post({ n0: Array(500).fill('as many') })).status, 201);
    assert.equal((await post({ n0: [1], n1: [1, 2] })).status, 201);
    assert.equal((await post({ n2: Array(998).fill(1) })).status, 400);
    assert.equal((await post({ n1: Array(600).fill(1), n2: [] })).status, 201);
    assert.deepEqual(Object.keys((await read()).metatags), ['n0', 'n1']);
  });

  it('are removed by an empty list, which does not count', async () => {
    assert.deepEqual((await put({ room: [], floor: [1], ...names(29), none: [] })).body, {
      metatags: { floor: [1], ...names(29) },
    });
    assert.equal(Object.keys((await read()).metatags).length, 30);
    const response = await owner.api.post(path(), { metatags: { floor: [], room: ['hall'] } });
    assert.deepEqual([response.status, response.body], [201, { metatags: { ...names(29), room: ['hall'] } }]);
    assert.deepEqual((await read()).metatags.floor, undefined);
    assert.deepEqual((await put({ room: [] })).body, { metatags: {} });
    assert.deepEqual(await read(), { metatags: {} });
  });

  it('are all kept when several are added at the same time', async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => owner.api.post(path(), { metatags: { [`tag${index}`]: [index] } })),
    );
    assert.equal(Object.keys((await read()).metatags).length, 8);
  });

  it('are readable by users with whom the sensor is shared, and writable by its owner', async () => {
    await put({ a: [1] });
    assert.equal((await friend.api.get(path())).status, 404);
    assert.equal((await put({ a: [2] }, undefined, friend)).status, 404);
    await share(owner, sensor, friend);
    assert.deepEqual((await friend.api.get(path())).body, { metatags: { a: [1] } });
    assert.equal((await put({ a: [2] }, undefined, friend)).status, 403);
    assert.equal((await friend.api.post(path(), { metatags: { a: [2] } })).status, 403);
    assert.equal((await friend.api.delete(path())).status, 403);
  });

  it('may be given in a form', async () => {
    const response = await fetch(`${platform.url}${path()}`, {
      method: 'PUT',
      headers: { 'X-SESSION_ID': owner.session, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'metatags[room][]=kitchen&metatags[floor]=2',
    });
    assert.deepEqual(await response.json(), { metatags: { room: ['kitchen'], floor: ['2'] } });
  });
});
