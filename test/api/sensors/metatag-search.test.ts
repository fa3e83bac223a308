import assert from 'node:assert/strict';
import { buildGroup, buildSensor, type Fields, share } from '../../support/factories';
import { shareWithGroup } from '../../support/groups';
import { usePlatform, useUser } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

type Tags = Record<string, (string | number)[]>;

describe('finding sensors by metatags', () => {
  const platform = usePlatform();
  const owner = useUser(platform);
  const friend = useUser(platform);
  const ids = { hall: '', attic: '', bare: '', theirs: '', hidden: '' };

  before(async () => {
    ids.hall = await buildTagged(
      owner,
      { name: 'Hall', device_type: 'lamp' },
      { room: ['Hall'], floor: [1], lit: ['yes'] },
    );
    ids.attic = await buildTagged(
      owner,
      { name: 'attic', display_name: 'up' },
      { room: ['attic', 'hall'], floor: ['2'] },
    );
    ids.bare = await buildTagged(owner, { name: 'bare', use_data_storage: false }, {});
    ids.theirs = await buildTagged(friend, { name: 'hall' }, { room: ['hall'], floor: [3] });
    ids.hidden = await buildTagged(friend, { name: 'hall' }, { room: ['hall'] });
    await share(friend, ids.theirs, owner);
  });

  const buildTagged = async (user: TestUser, fields: Fields, metatags: Tags): Promise<string> => {
    const id = await buildSensor(user, fields);
    assert.equal((await user.api.put(`/sensors/${id}/metatags`, { metatags })).status, 200);
    return id;
  };
  const namesOf = (sensors: { id: string }[]) =>
    sensors.map((sensor) => Object.entries(ids).find(([, id]) => id === sensor.id)?.[0]).join(' ');
  const find = async (filter: object, query = ''): Promise<string> => {
    const { status, body } = await owner.api.post(`/sensors/find${query}`, { filter });
    assert.equal(status, 200, JSON.stringify(body));
    return namesOf(body.sensors);
  };
  const tag = (metatag_name: string, operator: string, value?: unknown) => ({ metatag_name, operator, value });
  const property = (sensor_property: string, operator: string, value?: unknown) => ({
    sensor_property,
    operator,
    value,
  });
  const byTags = (...groups: object[][]) => ({ metatag_statement_groups: groups });
  const bySensor = (...groups: object[][]) => ({ sensor_statement_groups: groups });

  it('compares without regard to case, and numbers with strings', async () => {
    assert.equal(await find(byTags([tag('room', 'equal', 'HALL')])), 'hall attic');
    assert.equal(await find(byTags([tag('floor', 'equal', '1')])), 'hall');
    assert.equal(await find(byTags([tag('floor', 'equal', 2)])), 'attic');
    assert.equal(await find(byTags([tag('Room', 'equal', 'hall')])), '');
  });

  it('shows the metatags of other namespaces on request', async () => {
    await owner.api.put(`/sensors/${ids.bare}/metatags?namespace=influx`, { metatags: { device: ['tasmota_A', 2] } });
    await friend.api.put(`/sensors/${ids.theirs}/metatags?namespace=house`, { metatags: { wing: ['west'] } });
    const tagsOf = async (query: string) => {
      const { body } = await owner.api.post(`/sensors/find?sensor_owner=all&${query}`, { filter: {} });
      const shown = (id: string) => body.sensors.find((sensor: { id: string }) => sensor.id === id);
      return [ids.hall, ids.bare, ids.theirs].map(shown).map((sensor) => [sensor.metatags, sensor.other_metatags]);
    };
    const [hall, theirs] = [
      { room: ['Hall'], floor: [1], lit: ['yes'] },
      { room: ['hall'], floor: [3] },
    ];
    const influx = { device: ['tasmota_A', 2] };
    assert.deepEqual(await tagsOf('all_namespaces=true'), [
      [hall, {}],
      [{}, { influx }],
      [theirs, { house: { wing: ['west'] } }],
    ]);
    assert.deepEqual(await tagsOf('namespace=influx&all_namespaces=true&details=full'), [
      [{}, { default: hall }],
      [influx, {}],
      [{}, { default: theirs, house: { wing: ['west'] } }],
    ]);
    assert.deepEqual((await tagsOf('all_namespaces=false'))[1], [{}, undefined]);
    assert.deepEqual(await tagsOf('all_namespaces=true&details=no'), Array(3).fill([undefined, undefined]));
    const { body } = await owner.api.get('/sensors/metatags?all_namespaces=true');
    assert.deepEqual(body.sensors[2].other_metatags, { influx });
  });

  it('names the owners of other users in full details only', async () => {
    const full = (await owner.api.post('/sensors/find?sensor_owner=all&details=full', { filter: {} })).body.sensors;
    const owners = Object.fromEntries(full.map((one: Fields) => [one.id, (one.owner as Fields | undefined)?.username]));
    assert.equal(owners[ids.theirs], friend.username);
    assert.deepEqual(
      [ids.hall, ids.attic, ids.bare].map((id) => owners[id]),
      [undefined, undefined, undefined],
    );
    assert.equal(ids.hidden in owners, false);
    const { sensors } = (await owner.api.post('/sensors/find?sensor_owner=shared', { filter: {} })).body;
    assert.deepEqual(Object.keys(sensors[0]), ['id', 'name', 'metatags']);
  });

  it('accepts lists of values and tests for presence', async () => {
    assert.equal(await find(byTags([tag('floor', 'in', '1, 2')])), 'hall attic');
    assert.equal(await find(byTags([tag('lit', 'is_set')])), 'hall');
  });

  it('compares metatags with numbers, in numbers and in strings that spell one', async () => {
    assert.equal(await find(byTags([tag('floor', '>', 1)])), 'attic');
    assert.equal(await find(byTags([tag('floor', '>=', '1')])), 'hall attic');
    assert.equal(await find(byTags([tag('floor', '<', 10)])), 'hall attic');
    assert.equal(await find(byTags([tag('floor', '>', 1)]), '?sensor_owner=all'), 'attic theirs');
    assert.equal(await find(byTags([tag('floor', '>=', 1)], [tag('floor', '<', 2)])), 'hall');
    assert.equal(await find(byTags([tag('lit', '<=', 1e9)])), '');
    for (const [statement, path] of [
      [tag('floor', '>', 'high'), 'filter.metatag_statement_groups[0][0].value'],
      [tag('floor', '<'), 'filter.metatag_statement_groups[0][0].value'],
    ] as const) {
      const { status, body } = await owner.api.post('/sensors/find', { filter: byTags([statement]) });
      assert.equal(status, 400);
      assert.equal(body.fields[path], 'must be a number', JSON.stringify(body));
    }
    const ofProperty = await owner.api.post('/sensors/find', { filter: bySensor([property('id', '>', 1)]) });
    assert.equal(ofProperty.status, 400);
  });

  it('combines statements of one list by "or" and lists by "and"', async () => {
    assert.equal(await find(byTags([tag('lit', 'is_set'), tag('floor', 'equal', 2)])), 'hall attic');
    assert.equal(await find(byTags([tag('room', 'equal', 'hall')], [tag('floor', 'equal', 2)])), 'attic');
    const both = { ...byTags([tag('room', 'equal', 'hall')]), ...bySensor([property('name', 'equal', 'HALL')]) };
    assert.equal(await find(both), 'hall');
    assert.equal(await find({}), 'hall attic bare');
    assert.equal(await find({ metatag_statement_groups: [[]], sensor_statement_groups: [] }), 'hall attic bare');
  });

  it('filters by the properties of sensors', async () => {
    assert.equal(await find(bySensor([property('id', 'in', `${ids.attic},${ids.bare}`)])), 'attic bare');
    assert.equal(await find(bySensor([property('device_type', 'equal', 'LAMP')])), 'hall');
    assert.equal(await find(bySensor([property('display_name', 'is_set')])), 'attic');
    assert.equal(await find(bySensor([property('type', 'equal', 0)])), 'hall attic bare');
    assert.equal(await find(bySensor([property('type', 'in', '1,2')])), '');
    assert.equal(await find(bySensor([property('use_data_storage', 'equal', false)])), 'bare');
    assert.equal(await find(bySensor([property('id', 'equal', 'x')])), '');
  });

  it('treats no value as a pattern or as SQL', async () => {
    for (const value of ['%', '_all', "' OR 1=1 -- ", 'hal\\l', 'Häll']) {
      assert.equal(await find(byTags([tag('room', 'equal', value)])), '', value);
      assert.equal(await find(bySensor([property('name', 'equal', value)])), '', value);
    }
  });

  it("searches the user's own sensors, shared ones, or both", async () => {
    const filter = byTags([tag('room', 'equal', 'hall')]);
    assert.equal(await find(filter), 'hall attic');
    assert.equal(await find(filter, '?sensor_owner=me'), 'hall attic');
    assert.equal(await find(filter, '?sensor_owner=shared'), 'theirs');
    assert.equal(await find(filter, '?sensor_owner=all'), 'hall attic theirs');
  });

  it('returns ids, records or full records, page by page', async () => {
    const filter = byTags([tag('room', 'equal', 'hall')]);
    const ask = async (query: string) => (await owner.api.post(`/sensors/find?${query}`, { filter })).body;
    assert.deepEqual((await ask('details=no')).sensors, [{ id: ids.hall }, { id: ids.attic }]);
    assert.deepEqual(Object.keys((await ask('')).sensors[0]).sort(), ['id', 'metatags', 'name']);
    const full = (await ask('details=full')).sensors[0];
    assert.deepEqual(
      Object.keys(full).sort(),
      'data_structure data_type data_type_id device_type display_name expected_interval field_units id metatags name pager_type state state_since type unit'.split(
        ' ',
      ),
    );
    assert.deepEqual(full.metatags, { floor: [1], lit: ['yes'], room: ['Hall'] });
    const second = await ask('page=1&per_page=1&total=1&details=no');
    assert.deepEqual([second.sensors, second.total], [[{ id: ids.attic }], 2]);
  });

  it('accepts its parameters in the body, which takes precedence', async () => {
    const parameters = { details: 'no', sensor_owner: 'all', per_page: '1', page: 1, total: 1 };
    const { status, body } = await owner.api.post('/sensors/find?page=0', { ...parameters, filter: {} });
    assert.deepEqual([status, body], [200, { sensors: [{ id: ids.attic }], total: 4 }]);
    const form = 'namespace=other&details=no&filter[metatag_statement_groups][0][0][metatag_name]=room';
    const header = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const byForm = `${form}&filter[metatag_statement_groups][0][0][operator]=is_set`;
    assert.deepEqual((await owner.api.post('/sensors/find', byForm, header)).body, { sensors: [] });
    const refused = await owner.api.post('/sensors/find', { details: 'some', filter: {} });
    assert.deepEqual([refused.status, Object.keys(refused.body.fields)], [400, ['details']]);
  });

  it('lists sensors with and without metatags in one namespace', async () => {
    const { sensors } = (await owner.api.get('/sensors/metatags')).body;
    assert.equal(namesOf(sensors), 'hall attic bare');
    assert.deepEqual(sensors[2].metatags, {});
    const other = (await owner.api.get('/sensors/metatags?namespace=other&sensor_owner=all')).body.sensors;
    assert.equal(namesOf(other), 'hall attic bare theirs');
    assert.ok(other.every(({ metatags }: { metatags: Tags }) => Object.keys(metatags).length === 0));
  });

  it('names the invalid part of a filter', async () => {
    const refused = async (filter: unknown, path: RegExp) => {
      const { status, body } = await owner.api.post('/sensors/find', { filter });
      assert.equal(status, 400, JSON.stringify(filter));
      assert.match(Object.keys(body.fields).join(), path);
    };
    await refused(byTags([tag('room', 'like', 'x')]), /metatag_statement_groups.*operator/);
    await refused(bySensor([property('owner_id', 'equal', '1')]), /sensor_statement_groups.*sensor_property/);
    await refused(byTags([tag('room', 'equal', { $ne: 1 })]), /metatag_statement_groups\[0\]\[0\]\.value/);
    await refused(undefined, /filter/);
  });

  it('accepts at most a thousand values and thirty lists', async () => {
    const refused = async (filter: object) => {
      const { status, body } = await owner.api.post('/sensors/find', { filter });
      assert.deepEqual([status, Object.keys(body.fields)], [400, ['filter']]);
    };
    const lists = (count: number) => Array.from({ length: count }, () => [tag('room', 'equal', 'hall')]);
    const values = (count: number) => Array.from({ length: count }, (_, index) => `hall${index || ''}`).join();
    const single = (count: number) => Array.from({ length: count }, () => tag('lit', 'is_set'));
    assert.equal(await find(byTags(...lists(30))), 'hall attic');
    assert.equal((await owner.api.post('/sensors/find?total=1', { filter: byTags(...lists(30)) })).body.total, 2);
    await refused(byTags(...lists(31)));
    await refused({ ...byTags(...lists(30)), ...bySensor([property('name', 'is_set')]) });
    assert.equal(await find(byTags([tag('room', 'in', values(1_000))])), 'hall attic');
    await refused(byTags([tag('room', 'in', values(1_000)), tag('lit', 'is_set')]));
    assert.equal(await find(byTags(single(40), single(960))), 'hall');
    await refused(byTags(single(40), single(961)));
  });

  it('lists the distinct values of a name over visible sensors, on both paths', async () => {
    for (const path of ['/sensors/metatag_name', '/metatag_name']) {
      const { status, body } = await owner.api.get(`${path}/floor/distinct_values?total=1`);
      assert.deepEqual([status, body], [200, { distinct_values: [1, 3, '2'], total: 3 }]);
      assert.deepEqual((await owner.api.get(`${path}/room/distinct_values`)).body.distinct_values, [
        'Hall',
        'attic',
        'hall',
      ]);
      assert.deepEqual((await owner.api.get(`${path}/room/distinct_values?namespace=x`)).body.distinct_values, []);
      assert.deepEqual((await owner.api.get(`${path}/caf%C3%A9/distinct_values`)).body.distinct_values, []);
    }
  });

  it('lists the distinct values of sensors that are visible only through a group', async () => {
    const member = await platform.user();
    const valuesOf = async () => (await member.api.get('/metatag_name/floor/distinct_values')).body.distinct_values;
    const id = await buildGroup(owner, { public: 1 });
    await shareWithGroup(owner, id, ids.hall);
    assert.deepEqual(await valuesOf(), []);
    await member.api.post(`/groups/${id}/users`, { users: [{ user: { id: member.id } }] });
    assert.deepEqual(await valuesOf(), [1]);
    await owner.api.put(`/groups/${id}/users/${member.id}`, { group_permissions: { list_sensors: 0 } });
    assert.deepEqual(await valuesOf(), []);
  });

  it('searches the sensors of a group only with the right to list them', async () => {
    const id = await buildGroup(owner, { public: 1 });
    await shareWithGroup(owner, id, ids.hall);
    await friend.api.post(`/groups/${id}/users`, { users: [{ user: { id: friend.id } }] });
    await shareWithGroup(friend, id, ids.hidden);
    const filter = byTags([tag('room', 'equal', 'hall')]);
    const found = await owner.api.post(`/groups/${id}/sensors/find`, { filter });
    assert.equal(namesOf(found.body.sensors), 'hall hidden');
    const listed = async (query: string) =>
      namesOf((await owner.api.get(`/groups/${id}/sensors/metatags${query}`)).body.sensors);
    assert.equal(await listed(''), 'hall');
    assert.equal(await listed('?sensor_owner=shared'), 'hidden');
    const stranger = await platform.user();
    assert.equal((await stranger.api.post(`/groups/${id}/sensors/find`, { filter })).status, 403);
    await owner.api.put(`/groups/${id}/users/${friend.id}`, { group_permissions: { list_sensors: 0 } });
    assert.equal((await friend.api.get(`/groups/${id}/sensors/metatags`)).status, 403);
  });
});
