import assert from 'node:assert/strict';
import type { ResultSetHeader } from 'mysql2/promise';
import { apiClient } from '../../support/api-client';
import { buildSensor, buildTrigger, createKey } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

const EVERY = { all: true };
const NAMED = { filter: { sensor_statement_groups: [[{ sensor_property: 'name', operator: 'is_set' }]] } };

describe('the selector of a trigger', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  const create = (selector: unknown, by = user, fields = {}) =>
    by.api.post('/triggers', { trigger: { name: 'warm', expression: 'sensor_data_value > 8', selector, ...fields } });
  const change = (id: string, trigger: object, by = user) => by.api.put(`/triggers/${id}`, { trigger });
  const record = async (id: string, by = user) => (await by.api.get(`/triggers/${id}`)).body.trigger;
  const buildSensors = async (ownerId: string, count: number) => {
    const rows = Array.from({ length: count }, (_, index) => [ownerId, `sensor ${index}`, '', 1]);
    const sql = 'INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?';
    return (await platform.container.database.pool.query<ResultSetHeader>(sql, [rows]))[0].insertId;
  };
  const connections = async (id: string) => {
    const [row] = await platform.query('SELECT COUNT(*) AS count FROM sensor_triggers WHERE trigger_id = ?', [id]);
    return Number(row?.count);
  };

  it('is shown as it was given, and null by default', async () => {
    const filter = {
      metatag_statement_groups: [
        [
          { metatag_name: 'room', operator: 'in', value: ['kitchen', 2] },
          { metatag_name: 'floor', operator: 'is_set' },
        ],
      ],
      sensor_statement_groups: [[{ sensor_property: 'type', operator: 'equal', value: 1 }]],
    };
    const created = await create({ filter, namespace: 'plant' });
    assert.equal(created.status, 201);
    assert.deepEqual(created.body.trigger.selector, { filter, namespace: 'plant' });
    assert.deepEqual([created.body.trigger.selected_sensors, created.body.trigger.selector_error], [0, '']);
    const { id, selector, selected_sensors } = await record(await buildTrigger(user));
    assert.deepEqual([selector, selected_sensors], [null, null]);
    assert.equal((await change(created.body.trigger.id, { name: 'much too warm' })).status, 200);
    assert.deepEqual((await record(created.body.trigger.id)).selector, { filter, namespace: 'plant' });
    assert.deepEqual((await change(id, { selector: EVERY })).body.trigger.selector, {
      filter: {},
      all: true,
      namespace: 'default',
    });
    const sentBack = { name: 'again', selector: { filter: {}, all: true, namespace: 'default' } };
    assert.equal((await change(id, sentBack)).status, 200);
    assert.equal((await change(id, { selector: null })).body.trigger.selector, null);
  });

  it('is refused if it is wrong, with the place of the mistake, and nothing is created', async () => {
    const statement = (fields: object) => ({ filter: { metatag_statement_groups: [[fields]] } });
    const long = { metatag_name: 'a', operator: 'in', value: Array.from({ length: 900 }, () => 'a'.repeat(20)) };
    const wrong: [unknown, string][] = [
      ['freezers', 'trigger.selector'],
      [{}, 'trigger.selector.filter'],
      [{ filter: {} }, 'trigger.selector.filter'],
      [{ filter: { metatag_statement_groups: [[]] } }, 'trigger.selector.filter.metatag_statement_groups[0]'],
      [{ ...NAMED, all: true }, 'trigger.selector.all'],
      [{ ...NAMED, colour: 'red' }, 'trigger.selector.colour'],
      [{ filter: { ...NAMED.filter, colour: 'red' } }, 'trigger.selector.filter.colour'],
      [{ filter: { metatags: { kind: ['freezer'] } } }, 'trigger.selector.filter.metatags'],
      [
        statement({ metatag_name: 'a', operator: 'like' }),
        'trigger.selector.filter.metatag_statement_groups[0][0].operator',
      ],
      [
        statement({ metatag_name: 'a', operator: 'equal' }),
        'trigger.selector.filter.metatag_statement_groups[0][0].value',
      ],
      [
        { filter: { sensor_statement_groups: Array(31).fill([{ sensor_property: 'id', operator: 'is_set' }]) } },
        'trigger.selector.filter',
      ],
      [statement(long), 'trigger.selector'],
      [{ ...EVERY, namespace: 'n'.repeat(256) }, 'trigger.selector.namespace'],
    ];
    const before = (await user.api.get('/triggers?total=1')).body.total;
    for (const [selector, path] of wrong) {
      const { status, body } = await create(selector);
      assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, [path]], JSON.stringify(body));
    }
    assert.equal((await user.api.get('/triggers?total=1')).body.total, before);
  });

  it('is not for keys that are limited to sensors', async () => {
    const sensorId = await buildSensor(user);
    const { secret } = await createKey(user, { sensors: [sensorId] });
    const limited = { ...user, api: apiClient(platform.url, { Authorization: `Bearer ${secret}` }) };
    assert.equal((await create(EVERY, limited)).status, 403);
  });

  it('connects at most 10,000 sensors: more are refused, and later ones are not connected', async () => {
    const owner = await platform.user();
    const firstId = await buildSensors(owner.id, 10_000);
    const created = await create(NAMED, owner);
    assert.deepEqual([created.status, created.body.trigger.selected_sensors], [201, 10_000]);
    const { id } = created.body.trigger;
    await platform.settle();
    assert.equal(await connections(id), 10_000);
    await buildSensors(owner.id, 250);
    await buildSensor(owner);
    await platform.settle();
    const { selected_sensors, selector_error } = await record(id, owner);
    assert.deepEqual(
      [selected_sensors, selector_error, await connections(id)],
      [
        10_251,
        '251 of the 10251 selected sensors are not connected: a selector connects at most 10000 sensors',
        10_000,
      ],
    );
    for (const { status, body } of [await create(NAMED, owner), await change(id, { selector: EVERY }, owner)]) {
      assert.deepEqual([status, body.code], [409, 'conflict']);
      assert.match(body.fields['trigger.selector'], /matches 10251 sensors/);
    }
    const { name, selector: sentBack } = await record(id, owner);
    assert.equal((await change(id, { name, selector: sentBack }, owner)).status, 200);
    assert.match((await record(id, owner)).selector_error, /^251 of/);
    assert.deepEqual((await record(id, owner)).selector, { ...NAMED, namespace: 'default' });
    assert.equal((await owner.api.delete(`/sensors/${firstId}`)).status, 200);
    await platform.settle();
    assert.equal(await connections(id), 10_000);
  });

  it('leaves out a sensor that has 100 triggers, says so, and connects it once it has room', async () => {
    const owner = await platform.user();
    const sensorId = await buildSensor(owner);
    const rows = Array.from({ length: 100 }, () => [owner.id, 't', 'sensor_data_value > 30', 1]);
    const sql = 'INSERT INTO triggers (owner_id, name, expression, created_ms) VALUES ?';
    const [{ insertId }] = await platform.container.database.pool.query<ResultSetHeader>(sql, [rows]);
    const triggers = rows.map((_, index) => ({ trigger: { id: String(insertId + index) } }));
    assert.equal((await owner.api.post(`/sensors/${sensorId}/triggers`, { triggers })).status, 201);
    const { id } = (await create(EVERY, owner)).body.trigger;
    await platform.settle();
    assert.equal(
      (await record(id, owner)).selector_error,
      '1 of the 1 selected sensors are not connected: a sensor has at most 100 triggers',
    );
    assert.equal((await owner.api.delete(`/sensors/${sensorId}/triggers/${insertId}`)).status, 200);
    await platform.settle();
    assert.deepEqual([await connections(id), (await record(id, owner)).selector_error], [1, '']);
  });

  it('is on at most 100 triggers of a user', async () => {
    const owner = await platform.user();
    for (let count = 0; count < 98; count += 1) assert.equal((await create(EVERY, owner)).status, 201);
    const atOnce = await Promise.all([create(EVERY, owner), create(EVERY, owner), create(EVERY, owner)]);
    assert.deepEqual(atOnce.map(({ status }) => status).sort(), [201, 201, 409]);
    const id = await buildTrigger(owner);
    const refused = await change(id, { selector: EVERY }, owner);
    assert.equal(refused.status, 409);
    assert.match(refused.body.error, /100 triggers with selectors/);
  });
});
