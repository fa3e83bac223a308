import assert from 'node:assert/strict';
import { type Platform, startPlatform, type TestUser } from '../support/platform';

describe('sub environments', () => {
  let platform: Platform;
  let owner: TestUser;
  let ids: Record<'city' | 'street' | 'house' | 'room', string>;

  before(async () => {
    platform = await startPlatform();
  });
  after(() => platform.close());
  beforeEach(async () => {
    owner = await platform.user();
    ids = {
      city: await make('city'),
      street: await make('street'),
      house: await make('house'),
      room: await make('room'),
    };
  });

  const make = async (name: string): Promise<string> =>
    (await owner.api.post('/environments', { environment: { name } })).body.environment.id;
  const nest = (outer: string, ...inner: string[]) =>
    owner.api.post(`/environments/${outer}/environments`, { environments: inner.map((id) => ({ id })) });
  const namesOf = (body: { environments: { name: string }[] }) => body.environments.map(({ name }) => name);
  const subsOf = async (id: string) => namesOf((await owner.api.get(`/environments/${id}/environments`)).body);

  it('are added in one request or several, and answered as they are now', async () => {
    const first = await nest(ids.city, ids.street);
    assert.deepEqual([first.status, namesOf(first.body)], [201, ['street']]);
    assert.deepEqual(first.body.environments[0], (await owner.api.get(`/environments/${ids.street}`)).body.environment);
    assert.deepEqual(namesOf((await nest(ids.city, ids.room, ids.house, ids.room)).body), ['street', 'house', 'room']);
    assert.deepEqual(await subsOf(ids.city), ['street', 'house', 'room']);
    assert.deepEqual(await subsOf(ids.street), []);
  });

  it('come as a single environment, as an object for the list, and with numbers for ids', async () => {
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

  it('are listed in pages', async () => {
    await nest(ids.city, ids.street, ids.house, ids.room);
    const { body } = await owner.api.get(`/environments/${ids.city}/environments?page=1&per_page=2&total=1`);
    assert.deepEqual([namesOf(body), body.total], [['room'], 3]);
    assert.equal((await owner.api.get(`/environments/${ids.city}/environments?per_page=x`)).status, 400);
  });

  it('stay when they are added again', async () => {
    await nest(ids.city, ids.street);
    const again = await nest(ids.city, ids.street);
    assert.deepEqual([again.status, namesOf(again.body)], [201, ['street']]);
  });

  it('are part of one environment at a time, with all that is in them', async () => {
    await nest(ids.house, ids.room);
    await nest(ids.city, ids.house);
    await nest(ids.street, ids.house);
    assert.deepEqual(await subsOf(ids.city), []);
    assert.deepEqual(await subsOf(ids.street), ['house']);
    assert.deepEqual(await subsOf(ids.house), ['room']);
  });

  it('never hold themselves, directly or through others', async () => {
    await nest(ids.city, ids.street);
    await nest(ids.street, ids.house);
    await nest(ids.house, ids.room);
    for (const [outer, inner] of [
      [ids.city, ids.city],
      [ids.street, ids.city],
      [ids.house, ids.city],
      [ids.room, ids.street],
    ] as const) {
      const answer = await nest(outer, inner);
      assert.deepEqual([answer.status, answer.body.code], [409, 'cycle']);
      assert.match(answer.body.error, new RegExp(`\\b${inner}\\b`));
    }
    assert.deepEqual(await subsOf(ids.city), ['street']);
    assert.equal((await nest(ids.city, ids.room)).status, 201, 'up the same branch is no cycle');
  });

  it('never hold themselves when two requests at once would make it so', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await make('a'), await make('b')];
      const answers = await Promise.all([nest(a, b), nest(b, a)]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    }
  });

  it('are added all or not at all', async () => {
    const stranger = await platform.user();
    const foreign = await stranger.api.post('/environments', { environment: { name: 'foreign' } });
    const foreignId: string = foreign.body.environment.id;
    for (const bad of [foreignId, '99999999', 'x']) {
      const answer = await nest(ids.city, ids.street, bad);
      assert.equal(answer.status, 404);
      assert.match(answer.body.error, new RegExp(`\\b${bad}\\b`));
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
    ['over 1,000 of them', { environments: Array.from({ length: 1001 }, () => ({ id: '1' })) }],
  ];
  for (const [what, body] of refused) {
    it(`are refused with ${what}`, async () => {
      const answer = await owner.api.post(`/environments/${ids.city}/environments`, body);
      assert.equal(answer.status, 400);
      assert.match(Object.keys(answer.body.fields).join(), /^environments?\b/);
    });
  }

  it('are removed, and stay environments', async () => {
    await nest(ids.city, ids.street, ids.house);
    const answer = await owner.api.delete(`/environments/${ids.city}/environments/${ids.street}`);
    assert.deepEqual([answer.status, answer.body], [200, {}]);
    assert.deepEqual(await subsOf(ids.city), ['house']);
    assert.equal((await owner.api.get(`/environments/${ids.street}`)).status, 200);
    for (const none of [ids.street, ids.room, ids.city, '99999999', 'x']) {
      assert.equal((await owner.api.delete(`/environments/${ids.city}/environments/${none}`)).status, 404);
    }
  });
});
