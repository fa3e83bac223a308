import assert from 'node:assert/strict';
import { buildEnvironment } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';

describe('parts of environments', () => {
  const platform = usePlatform();
  const owner = useUserPerTest(platform);
  let ids: Record<'city' | 'street' | 'house' | 'room', string>;

  beforeEach(async () => {
    ids = {
      city: await make('city'),
      street: await make('street'),
      house: await make('house'),
      room: await make('room'),
    };
  });

  const make = (name: string) => buildEnvironment(owner, { name });
  const nest = (outer: string, ...inner: string[]) =>
    owner.api.post(`/environments/${outer}/environments`, { environments: inner.map((id) => ({ id })) });
  const namesOf = (body: { environments: { name: string }[] }) => body.environments.map(({ name }) => name);
  const subsOf = async (id: string) => namesOf((await owner.api.get(`/environments/${id}/environments`)).body);

  it('are added in one request or several, and the response has their records', async () => {
    const first = await nest(ids.city, ids.street);
    assert.deepEqual([first.status, namesOf(first.body)], [201, ['street']]);
    assert.deepEqual(first.body.environments[0], (await owner.api.get(`/environments/${ids.street}`)).body.environment);
    assert.deepEqual(namesOf((await nest(ids.city, ids.room, ids.house, ids.room)).body), ['street', 'house', 'room']);
    assert.deepEqual(await subsOf(ids.city), ['street', 'house', 'room']);
    assert.deepEqual(await subsOf(ids.street), []);
  });

  it('may be given as a single environment, an object for the list, and with numeric ids', async () => {
    const path = `/environments/${ids.city}/environments`;
    for (const body of [
      { environment: { id: ids.street } },
      { environments: { id: ids.house } },
      { environments: [{ id: Number(ids.room), name: 'ignored' }] },
    ]) {
      assert.equal((await owner.api.post(path, body)).status, 201);
    }
    assert.deepEqual(await subsOf(ids.city), ['street', 'house', 'room']);
  });

  it('are listed page by page', async () => {
    await nest(ids.city, ids.street, ids.house, ids.room);
    const { body } = await owner.api.get(`/environments/${ids.city}/environments?page=1&per_page=2&total=1`);
    assert.deepEqual([namesOf(body), body.total], [['room'], 3]);
    assert.equal((await owner.api.get(`/environments/${ids.city}/environments?per_page=x`)).status, 400);
  });

  it('remain when they are added again', async () => {
    await nest(ids.city, ids.street);
    const again = await nest(ids.city, ids.street);
    assert.deepEqual([again.status, namesOf(again.body)], [201, ['street']]);
  });

  it('are in one environment at a time, together with their own parts', async () => {
    await nest(ids.house, ids.room);
    await nest(ids.city, ids.house);
    await nest(ids.street, ids.house);
    assert.deepEqual(await subsOf(ids.city), []);
    assert.deepEqual(await subsOf(ids.street), ['house']);
    assert.deepEqual(await subsOf(ids.house), ['room']);
  });

  it('never contain themselves, directly or indirectly', async () => {
    await nest(ids.city, ids.street);
    await nest(ids.street, ids.house);
    await nest(ids.house, ids.room);
    for (const [outer, inner] of [
      [ids.city, ids.city],
      [ids.street, ids.city],
      [ids.house, ids.city],
      [ids.room, ids.street],
    ] as const) {
      const response = await nest(outer, inner);
      assert.deepEqual([response.status, response.body.code], [409, 'cycle']);
      assert.match(response.body.error, new RegExp(`\\b${inner}\\b`));
    }
    assert.deepEqual(await subsOf(ids.city), ['street']);
    assert.equal((await nest(ids.city, ids.room)).status, 201, 'moving up the same branch is no cycle');
  });

  it('never contain themselves by two simultaneous requests', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await make('a'), await make('b')];
      const responses = await Promise.all([nest(a, b), nest(b, a)]);
      assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409]);
    }
  });

  it('are added all or not at all', async () => {
    const stranger = await platform.user();
    const foreign = await buildEnvironment(stranger);
    for (const bad of [foreign, '99999999', 'x']) {
      const response = await nest(ids.city, ids.street, bad);
      assert.equal(response.status, 404);
      assert.match(response.body.error, new RegExp(`\\b${bad}\\b`));
    }
    assert.equal((await nest(ids.house, ids.street, ids.house)).status, 409);
    assert.deepEqual([await subsOf(ids.city), await subsOf(ids.house)], [[], []]);
  });

  const refused: [string, unknown][] = [
    ['no list', {}],
    ['an empty list', { environments: [] }],
    ['an entry without an id', { environments: [{}] }],
    ['an empty id', { environment: { id: '' } }],
    ['a bare id', { environments: ['5'] }],
    ['more than 1,000 of them', { environments: Array.from({ length: 1001 }, () => ({ id: '1' })) }],
  ];
  for (const [what, body] of refused) {
    it(`are refused with ${what}`, async () => {
      const response = await owner.api.post(`/environments/${ids.city}/environments`, body);
      assert.equal(response.status, 400);
      assert.match(Object.keys(response.body.fields).join(), /^environments?\b/);
    });
  }

  it('are removed and remain environments', async () => {
    await nest(ids.city, ids.street, ids.house);
    const response = await owner.api.delete(`/environments/${ids.city}/environments/${ids.street}`);
    assert.deepEqual([response.status, response.body], [200, {}]);
    assert.deepEqual(await subsOf(ids.city), ['house']);
    assert.equal((await owner.api.get(`/environments/${ids.street}`)).status, 200);
    for (const none of [ids.street, ids.room, ids.city, '99999999', 'x']) {
      assert.equal((await owner.api.delete(`/environments/${ids.city}/environments/${none}`)).status, 404);
    }
  });
});
