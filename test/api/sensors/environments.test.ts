import assert from 'node:assert/strict';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

const OUTLINE = '51.903469 4.459865 0, 51.904 4.459865 0, 51.904 4.461 0';

describe('environments', () => {
  const platform = usePlatform();
  const owner = useUserPerTest(platform);
  const stranger = useUserPerTest(platform);

  const make = async ({ api }: TestUser, name = 'a place', fields: Record<string, unknown> = {}): Promise<string> => {
    const response = await api.post('/environments', { environment: { name, ...fields } });
    assert.equal(response.status, 201, JSON.stringify(response.body));
    return response.body.environment.id;
  };
  const namesOf = (body: { environments: { name: string }[] }) => body.environments.map(({ name }) => name);

  it('are created with every field, and the response has the whole record', async () => {
    const environment = { name: 'Büro 📍', floors: '3', gps_outline: OUTLINE, position: '51.9037 4.4604' };
    const response = await owner.api.post('/environments', { environment });
    assert.equal(response.status, 201);
    const { id, date, ...rest } = response.body.environment;
    assert.deepEqual(rest, { ...environment, floors: 3 });
    assert.match(id, /^\d+$/);
    assert.ok(Math.abs(date - Date.now() / 1000) < 60);
    assert.equal(response.headers.get('location'), `${platform.url}/environments/${id}`);
    assert.deepEqual((await owner.api.get(`/environments/${id}`)).body, response.body);
  });

  it('require only a name', async () => {
    const id = await make(owner, 'bare', { floors: '', gps_outline: null, position: '' });
    const { environment } = (await owner.api.get(`/environments/${id}.json`)).body;
    assert.deepEqual(
      { ...environment, date: 0 },
      {
        id,
        name: 'bare',
        floors: null,
        gps_outline: '',
        position: '',
        date: 0,
      },
    );
  });

  const refused: [string, Record<string, unknown>, string, RegExp?][] = [
    ['no name', { floors: 1 }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 256 characters', { name: 'n'.repeat(256) }, 'name'],
    ['half a floor', { name: 'n', floors: 1.5 }, 'floors'],
    ['floors below 0', { name: 'n', floors: -1 }, 'floors'],
    ['1001 floors', { name: 'n', floors: 1001 }, 'floors'],
    ['floors that are no number', { name: 'n', floors: 'many' }, 'floors'],
    ['an outline of two points', { name: 'n', gps_outline: '1 1,2 2' }, 'gps_outline', /at least 3 points/],
    ['a point without a longitude', { name: 'n', gps_outline: '1 1,2 2,3' }, 'gps_outline', /point 3/],
    ['an empty point', { name: 'n', gps_outline: '1 1,,2 2,3 3' }, 'gps_outline', /point 2/],
    ['a latitude over 90', { name: 'n', gps_outline: '1 1,90.1 2,3 3' }, 'gps_outline', /point 2 .*latitude/],
    ['a longitude below -180', { name: 'n', gps_outline: '1 -180.5,2 2,3 3' }, 'gps_outline', /point 1 .*longitude/],
    [
      'an altitude that is no number',
      { name: 'n', gps_outline: '1 1,2 2,3 3 up' },
      'gps_outline',
      /point 3 .*altitude/,
    ],
    ['four numbers in a point', { name: 'n', gps_outline: '1 1,2 2,3 3 3 3' }, 'gps_outline', /point 3/],
    ['an outline over 8000 characters', { name: 'n', gps_outline: `${'1 1,'.repeat(2000)}1 1` }, 'gps_outline', /8000/],
    ['an outline that is a list', { name: 'n', gps_outline: ['1 1', '2 2', '3 3'] }, 'gps_outline'],
    [
      'a loop of two points',
      { name: 'n', gps_outline: `${OUTLINE};1 1,2 2` },
      'gps_outline',
      /loop 2 must have at least 3/,
    ],
    ['a bad point of a hole', { name: 'n', gps_outline: `${OUTLINE};1 1,2,3 3` }, 'gps_outline', /loop 2 point 2/],
    [
      'another geometry in GeoJSON',
      { name: 'n', gps_outline: '{"type":"Point","coordinates":[4,51]}' },
      'gps_outline',
      /Polygon or MultiPolygon/,
    ],
    ['a position without a longitude', { name: 'n', position: '51.9' }, 'position'],
    ['a position off the earth', { name: 'n', position: '91 0 0' }, 'position', /latitude/],
  ];
  for (const [what, environment, field, why = /./] of refused) {
    it(`refuse ${what} and name ${field}, new or changed`, async () => {
      const id = await make(owner);
      const responses = [await owner.api.post('/environments', { environment })];
      if (environment.name !== '' && environment.name !== undefined) {
        responses.push(await owner.api.put(`/environments/${id}`, { environment }));
      }
      for (const { status, body } of responses) {
        assert.equal(status, 400);
        assert.deepEqual(Object.keys(body.fields), [`environment.${field}`]);
        assert.match(body.error, why);
      }
      assert.deepEqual(namesOf((await owner.api.get('/environments')).body), ['a place']);
    });
  }

  it('take holes, and polygons in GeoJSON', async () => {
    const holed = '0 0,0 9,9 9;1 2,1 3,2 3';
    const id = await make(owner, 'holed', { gps_outline: holed });
    const outline = async () => (await owner.api.get(`/environments/${id}`)).body.environment.gps_outline;
    assert.equal(await outline(), holed);
    const loop = (...points: number[][]) => [...points, points[0]];
    const coordinates = [loop([4.5, 51], [5, 51], [5, 52]), loop([4.8, 51.1], [4.9, 51.1], [4.9, 51.2])];
    const gps_outline = JSON.stringify({ type: 'Polygon', coordinates });
    const { status, body } = await owner.api.put(`/environments/${id}`, { environment: { gps_outline } });
    assert.deepEqual([status, body.environment.name], [200, 'holed']);
    assert.equal(await outline(), '51 4.5,51 5,52 5;51.1 4.8,51.1 4.9,51.2 4.9');
  });

  it('accept values at the limits', async () => {
    const outline = `${'1 1,'.repeat(1999)}1 1 `.padEnd(8000);
    const fields = { floors: 1000, gps_outline: outline, position: '-90 180 -3.5' };
    const { environment } = (await owner.api.get(`/environments/${await make(owner, 'n'.repeat(255), fields)}`)).body;
    assert.deepEqual([environment.floors, environment.gps_outline, environment.position], Object.values(fields));
    assert.equal(
      (await owner.api.get(`/environments/${await make(owner, 'flat', { floors: 0 })}`)).body.environment.floors,
      0,
    );
  });

  it('change only the given fields', async () => {
    const id = await make(owner, 'before', { floors: 2, gps_outline: OUTLINE, position: '1 2 3' });
    const before = (await owner.api.get(`/environments/${id}`)).body.environment;
    const renamed = await owner.api.put(`/environments/${id}`, { environment: { name: 'after', floors: '' } });
    assert.deepEqual([renamed.status, renamed.body], [200, { environment: { ...before, name: 'after' } }]);
    const whole = { ...before, position: '4 5 6', floors: '0' };
    const changed = await owner.api.put(`/environments/${id}.json`, { environment: whole });
    assert.deepEqual(changed.body, { environment: { ...whole, floors: 0 } });
    assert.deepEqual((await owner.api.put(`/environments/${id}`, { environment: {} })).body, changed.body);
    assert.equal((await owner.api.put(`/environments/${id}`, {})).status, 400);
    assert.deepEqual((await owner.api.get(`/environments/${id}`)).body, changed.body);
  });

  it('are listed page by page in order of id, only for their owner', async () => {
    for (const name of ['a', 'b', 'c']) await make(owner, name);
    const all = (await owner.api.get('/environments')).body;
    assert.deepEqual([namesOf(all), 'total' in all], [['a', 'b', 'c'], false]);
    const page = (await owner.api.get('/environments?page=1&per_page=2&total=1')).body;
    assert.deepEqual([namesOf(page), page.total], [['c'], 3]);
    assert.equal((await owner.api.get('/environments?page=x')).status, 400);
    assert.deepEqual((await stranger.api.get('/environments?total=1')).body, { environments: [], total: 0 });
  });

  it('are invisible to other users', async () => {
    const id = await make(owner);
    const own = await make(stranger);
    const sensor = await buildSensor(stranger);
    const { api } = stranger;
    for (const nothing of [id, '99999999', 'x', '0']) {
      const path = `/environments/${nothing}`;
      for (const response of [
        await api.get(path),
        await api.put(path, { environment: { name: 'x' } }),
        await api.delete(path),
        await api.get(`${path}/environments`),
        await api.get(`${path}/sensors`),
        await api.post(`${path}/environments`, { environments: [{ id: own }] }),
        await api.post(`/environments/${own}/environments`, { environments: [{ id: nothing }] }),
        await api.post(`${path}/sensors`, { sensors: [{ id: sensor }] }),
        await api.delete(`${path}/sensors/${sensor}`),
        await api.delete(`${path}/environments/${own}`),
        await api.delete(`/environments/${own}/environments/${nothing}`),
      ]) {
        assert.equal(response.status, 404);
      }
      assert.equal((await platform.anonymous.get(path)).status, 401);
    }
    assert.deepEqual(namesOf((await owner.api.get('/environments')).body), ['a place']);
  });

  it('are deleted without their sensors and parts', async () => {
    const [id, sub] = [await make(owner, 'outer'), await make(owner, 'inner')];
    const sensor = await buildSensor(owner);
    await owner.api.post(`/environments/${id}/environments`, { environments: [{ id: sub }] });
    await owner.api.post(`/environments/${id}/sensors`, { sensors: [{ id: sensor }] });
    const response = await owner.api.delete(`/environments/${id}`);
    assert.deepEqual([response.status, response.body], [200, {}]);
    assert.equal((await owner.api.get(`/environments/${id}`)).status, 404);
    assert.equal((await owner.api.delete(`/environments/${id}`)).status, 404);
    assert.deepEqual(namesOf((await owner.api.get('/environments')).body), ['inner']);
    assert.equal((await owner.api.get(`/sensors/${sensor}`)).status, 200);
    assert.equal((await owner.api.get(`/sensors/${sensor}/environment`)).status, 404);
  });

  it('are deleted with the account of their owner, whatever they contain', async () => {
    const [id, sub] = [await make(owner), await make(owner)];
    await owner.api.post(`/environments/${id}/environments`, { environments: [{ id: sub }] });
    assert.equal((await owner.api.delete(`/users/${owner.id}`)).status, 200);
    const rows = await platform.query('SELECT id FROM environments WHERE id IN (?)', [[id, sub]]);
    assert.deepEqual(rows, []);
  });
});
