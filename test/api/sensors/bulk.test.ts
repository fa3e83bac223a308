import assert from 'node:assert/strict';
import {
  buildEnvironment,
  buildGroup,
  buildNotification,
  buildSensor,
  buildTrigger,
  create,
  createKey,
  share,
  upload,
} from '../../support/factories';
import { join, sensorsOf } from '../../support/groups';
import { usePlatform, useReceiver, useUser, useUserPerTest } from '../../support/hooks';

describe('one action on many sensors', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const other = useUser(platform);

  const buildSensors = (count: number) =>
    Promise.all(Array.from({ length: count }, () => buildSensor(user))).then((ids) =>
      ids.sort((a, b) => Number(a) - Number(b)),
    );
  const bulk = (sensors: unknown, action: unknown, api = user.api) => api.post('/sensors/bulk', { sensors, action });
  const connectedTo = async (triggerId: string) => {
    const { triggers } = (await user.api.get('/sensors/triggers?per_page=1000')).body;
    return triggers
      .filter(({ id }: { id: string }) => id === triggerId)
      .map((one: { sensor_id: string }) => one.sensor_id)
      .sort((a: string, b: string) => Number(a) - Number(b));
  };
  const notificationsOf = async (sensorId: string, triggerId: string) => {
    const { notifications } = (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}/notifications`)).body;
    return notifications.map(({ id }: { id: string }) => id);
  };

  it('connects a trigger with its notifications to 60 sensors, and doing it again changes nothing', async () => {
    const sensors = await buildSensors(60);
    const [triggerId, first, second] = [
      await buildTrigger(user),
      await buildNotification(user),
      await buildNotification(user),
    ];
    for (let round = 0; round < 2; round++) {
      const { status, body } = await bulk(sensors, { connect_trigger: { id: triggerId, notifications: [first] } });
      assert.deepEqual([status, body], [200, { done: 60, failed: [] }]);
      assert.deepEqual(await connectedTo(triggerId), sensors);
      for (const id of [sensors[0], sensors[59]]) assert.deepEqual(await notificationsOf(id ?? '', triggerId), [first]);
    }
    await bulk(sensors.slice(0, 2), { connect_trigger: { id: triggerId, notifications: [second] } });
    await bulk(sensors.slice(0, 1), { connect_trigger: { id: triggerId } });
    assert.deepEqual(await notificationsOf(sensors[0] ?? '', triggerId), [second]);
    await bulk(sensors.slice(1, 2), { connect_trigger: { id: triggerId, notifications: [] } });
    assert.deepEqual(await notificationsOf(sensors[1] ?? '', triggerId), []);
    assert.deepEqual(await notificationsOf(sensors[2] ?? '', triggerId), [first]);
  });

  it('begins no sensor after its time, and names those that it has not reached', async () => {
    const sensors = await buildSensors(3);
    const connection = await platform.container.database.pool.getConnection();
    const mostMs = Reflect.get(platform.container.services.bulk, 'mostMs');
    Reflect.set(platform.container.services.bulk, 'mostMs', 1_000);
    try {
      await connection.beginTransaction();
      await connection.query('SELECT id FROM sensors WHERE id = ? FOR UPDATE', [sensors[1]]);
      const answered = bulk(sensors, { set_metatags: { metatags: { room: ['attic'] } } });
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await connection.rollback();
      const { status, body } = await answered;
      const error = 'the sensor was not reached within 1 seconds: send the request again for the rest';
      const failed = [{ sensor_id: sensors[2], error, code: 'too_slow' }];
      assert.deepEqual([status, body], [200, { done: 2, failed }]);
    } finally {
      Reflect.set(platform.container.services.bulk, 'mostMs', mostMs);
      connection.release();
    }
  });

  it('disconnects a trigger, and names no sensor that does not have it', async () => {
    const sensors = await buildSensors(3);
    const triggerId = await buildTrigger(user);
    await bulk(sensors.slice(0, 2), { connect_trigger: { id: triggerId } });
    const { body } = await bulk(sensors, { disconnect_trigger: { id: triggerId } });
    assert.deepEqual(body, { done: 3, failed: [] });
    assert.deepEqual(await connectedTo(triggerId), []);
  });

  it('names each sensor on which it was refused, and does the others', async () => {
    const [own, shared, foreign] = [await buildSensor(user), await buildSensor(other), await buildSensor(other)];
    await share(other, shared, user);
    const triggerId = await buildTrigger(user);
    const sensors = [shared, own, foreign, 'x', '999999999', own];
    const { status, body } = await bulk(sensors, { connect_trigger: { id: triggerId } });
    const missing = { error: 'the sensor does not exist', code: 'not_found' };
    assert.deepEqual([status, body.done], [200, 1]);
    assert.deepEqual(body.failed, [
      { sensor_id: shared, error: 'only the owner of the sensor may do this', code: 'forbidden' },
      { sensor_id: foreign, ...missing },
      { sensor_id: 'x', ...missing },
      { sensor_id: '999999999', ...missing },
    ]);
    assert.deepEqual(await connectedTo(triggerId), [own]);
  });

  it('does nothing when the trigger or a notification is of another user', async () => {
    const [sensorId, triggerId] = [await buildSensor(user), await buildTrigger(user)];
    const [foreignTrigger, foreignNotification] = [await buildTrigger(other), await buildNotification(other)];
    const refused = [
      { connect_trigger: { id: foreignTrigger } },
      { disconnect_trigger: { id: foreignTrigger } },
      { connect_trigger: { id: triggerId, notifications: [foreignNotification] } },
    ];
    for (const action of refused) assert.equal((await bulk([sensorId], action)).status, 404);
    assert.deepEqual(await connectedTo(triggerId), []);
  });

  it('refuses what is not exactly one action on 1 to 500 sensors', async () => {
    const [sensorId, triggerId] = [await buildSensor(user), await buildTrigger(user)];
    const id = { id: triggerId };
    const refused: [unknown, unknown, string][] = [
      [[sensorId], {}, 'action'],
      [[sensorId], { paint: id }, 'action.paint'],
      [[sensorId], { connect_trigger: { ...id, notification: ['7'] } }, 'action.connect_trigger.notification'],
      [[sensorId], { delete: { force: true } }, 'action.delete.force'],
      [[sensorId], { connect_trigger: id, disconnect_trigger: id }, 'action'],
      [[sensorId], { connect_trigger: {} }, 'action.connect_trigger.id'],
      [[], { connect_trigger: id }, 'sensors'],
      [Array.from({ length: 501 }, () => sensorId), { connect_trigger: id }, 'sensors'],
      [undefined, { connect_trigger: id }, 'sensors'],
    ];
    for (const [sensors, action, field] of refused) {
      const { status, body } = await bulk(sensors, action);
      assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, [field]], JSON.stringify(body));
    }
    assert.deepEqual(await connectedTo(triggerId), []);
  });

  it('says when the trigger reads a field that none of the sensors has', async () => {
    const sensorId = await buildSensor(user);
    await user.api.post(`/sensors/${sensorId}/data`, { value: { temperature: 1 } });
    const triggerId = await buildTrigger(user, { expression: 'sensor_data_value.humidity > 3' });
    const { body } = await bulk([sensorId], { connect_trigger: { id: triggerId } });
    assert.match(body.warning, /has the field "humidity"/);
  });

  it('is not for keys that are limited to sensors', async () => {
    const [sensorId, triggerId] = [await buildSensor(user), await buildTrigger(user)];
    const { secret } = await createKey(user, { scopes: ['read', 'write'], sensors: [sensorId] });
    const body = { sensors: [sensorId], action: { connect_trigger: { id: triggerId } } };
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    assert.equal((await fetch(`${platform.url}/sensors/bulk`, request)).status, 403);
    assert.deepEqual(await connectedTo(triggerId), []);
  });

  it('connects each sensor once when two requests do it at the same time', async () => {
    const [sensors, triggerId] = [await buildSensors(20), await buildTrigger(user)];
    const notification = await buildNotification(user);
    const action = { connect_trigger: { id: triggerId, notifications: [notification] } };
    const answers = await Promise.all([bulk(sensors, action), bulk([...sensors].reverse(), action)]);
    for (const { body } of answers) assert.deepEqual(body, { done: 20, failed: [] });
    assert.deepEqual(await connectedTo(triggerId), sensors);
    assert.deepEqual(await notificationsOf(sensors[7] ?? '', triggerId), [notification]);
  });
});

describe('the actions on many sensors', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const other = useUser(platform);
  const receiver = useReceiver();

  const bulk = async (selection: object, action: object) => {
    const { status, body } = await user.api.post('/sensors/bulk', { ...selection, action });
    return status === 200 ? body : { status, ...body };
  };
  const buildThree = () => Promise.all(Array.from({ length: 3 }, () => buildSensor(user)));
  const done = (count: number) => ({ done: count, failed: [] });

  it('share and unshare, also again', async () => {
    const sensors = await buildThree();
    for (let round = 0; round < 2; round += 1) {
      assert.deepEqual(await bulk({ sensors }, { share: { username: other.username } }), done(3));
    }
    const seen = async () => (await other.api.get('/sensors?owned=0&total=1')).body.total;
    assert.equal(await seen(), 3);
    for (let round = 0; round < 2; round += 1) {
      assert.deepEqual(await bulk({ sensors }, { unshare: { id: other.id } }), done(3));
    }
    assert.equal(await seen(), 0);
  });

  it('add to a group and to an environment, whose absence refuses each sensor', async () => {
    const sensors = await buildThree();
    const [group, environment] = [await buildGroup(user), await buildEnvironment(user)];
    assert.deepEqual(await bulk({ sensors }, { add_to_group: { id: group } }), done(3));
    assert.equal((await user.api.get(`/sensors?group_id=${group}&total=1`)).body.total, 3);
    assert.deepEqual(await bulk({ sensors }, { add_to_environment: { id: environment } }), done(3));
    assert.equal((await user.api.get(`/environments/${environment}/sensors?total=1`)).body.total, 3);
    const { done: count, failed } = await bulk({ sensors }, { add_to_group: { id: '99999999' } });
    assert.deepEqual([count, failed.length, failed[0].code], [0, 3, 'not_found']);
  });

  it('add to a group what the user owns, with an event for each new sensor, and name the others', async () => {
    const [group, sensors] = [await buildGroup(user), await buildThree()];
    const [shared, foreign] = [await buildSensor(other), await buildSensor(other)];
    await share(other, shared, user);
    const notification_id = await buildNotification(user, { destination: receiver.url });
    const event_notification = { event: 'add_group_sensor', notification_id };
    await create(user, '/events/notifications', { event_notification });
    await bulk({ sensors: sensors.slice(0, 1) }, { add_to_group: { id: group } });
    const [first = '', ...later] = sensors;
    const named = [shared, first, 'x', ...later, foreign, '99999999'];
    const missing = { error: 'the sensor does not exist', code: 'not_found' };
    assert.deepEqual(await bulk({ sensors: named }, { add_to_group: { id: group } }), {
      done: 3,
      failed: [
        { sensor_id: shared, error: 'only the owner of the sensor may do this', code: 'forbidden' },
        { sensor_id: 'x', ...missing },
        { sensor_id: foreign, ...missing },
        { sensor_id: '99999999', ...missing },
      ],
    });
    assert.deepEqual((await sensorsOf(user, group)).sort(), [...sensors].sort());
    await platform.settle();
    assert.deepEqual(receiver.received.map(({ form }) => form.subject_id).sort(), [...sensors].sort());
    assert.ok(receiver.received.every(({ form }) => form.source_id === group));
  });

  it('add to a group only with the right to add sensors', async () => {
    const group = await buildGroup(other, { public: 1, default_add_sensors: 0 });
    assert.equal((await join(user, group)).status, 201);
    const [own, foreign] = [await buildSensor(user), await buildSensor(other)];
    const { done: count, failed } = await bulk({ sensors: [own, foreign] }, { add_to_group: { id: group } });
    const named = failed.map(({ sensor_id, code }: Record<string, string>) => [sensor_id, code]);
    assert.deepEqual(
      [count, named],
      [
        0,
        [
          [own, 'forbidden'],
          [foreign, 'not_found'],
        ],
      ],
    );
    assert.match(failed[0].error, /add sensors to it/);
    assert.deepEqual(await sensorsOf(other, group), []);
  });

  it('add to a group what is left when a sensor is deleted at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [group, sensors] = [await buildGroup(user), await buildThree()];
      const [first = ''] = sensors;
      const [answer] = await Promise.all([
        bulk({ sensors }, { add_to_group: { id: group } }),
        user.api.delete(`/sensors/${first}`),
      ]);
      assert.deepEqual(
        answer.failed.map(({ sensor_id }: Record<string, string>) => sensor_id),
        answer.done === 3 ? [] : [first],
      );
      assert.deepEqual((await sensorsOf(user, group)).sort(), sensors.slice(1).sort());
    }
  });

  it('set metatags on those that a filter finds, and delete those', async () => {
    const sensors = await buildThree();
    const [cold] = sensors;
    await user.api.put(`/sensors/${cold}/metatags`, { metatags: { kind: ['freezer'] } });
    const filter = { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value: 'freezer' }]] };
    assert.deepEqual(await bulk({ filter }, { set_metatags: { metatags: { floor: [2] } } }), done(1));
    const above = (value: number) => ({
      metatag_statement_groups: [[{ metatag_name: 'floor', operator: '>', value }]],
    });
    assert.deepEqual(await bulk({ filter: above(2) }, { delete: {} }), done(0));
    assert.deepEqual(await bulk({ filter: above(1.5) }, { set_metatags: { metatags: { high: ['yes'] } } }), done(1));
    const { metatags } = (await user.api.get(`/sensors/${cold}/metatags`)).body;
    assert.deepEqual(metatags, { floor: [2], high: ['yes'], kind: ['freezer'] });
    assert.deepEqual(await bulk({ filter }, { delete: {} }), done(1));
    assert.equal((await user.api.get('/sensors?total=1')).body.total, 2);
  });

  it('act on nothing if the request does not say exactly on which sensors', async () => {
    const [cold, warm] = await buildThree();
    await user.api.put(`/sensors/${cold}/metatags`, { metatags: { kind: ['freezer'] } });
    const statement = { metatag_name: 'kind', operator: 'equal', value: 'freezer' };
    const lists = { metatag_statement_groups: [[statement]] };
    const vague: [object, string][] = [
      [{ filter: {} }, 'filter'],
      [{ filter: {}, state: 'silent' }, 'filter'],
      [{ filter: { metatags: { kind: 'x' } } }, 'filter.metatags'],
      [{ filter: { ...lists, metatag_statement_group: [[statement]] } }, 'filter.metatag_statement_group'],
      [{ filter: { metatag_statement_groups: [] } }, 'filter'],
      [{ filter: { metatag_statement_groups: [[]] } }, 'filter.metatag_statement_groups[0]'],
      [{ filter: { ...lists, sensor_statement_groups: [[]] } }, 'filter.sensor_statement_groups[0]'],
      [
        { filter: { metatag_statement_groups: [[{ ...statement, values: ['x'] }]] } },
        'filter.metatag_statement_groups[0][0].values',
      ],
      [
        { filter: { metatag_statement_groups: [[{ metatag_name: 'floor', operator: '>', value: 'high' }]] } },
        'filter.metatag_statement_groups[0][0].value',
      ],
      [{ filter: lists, quietFor: 60 }, 'quietFor'],
      [{ filter: lists, all: true }, 'all'],
      [{ sensors: [warm], all: true }, 'all'],
      [{ sensors: [warm], state: 'ok' }, 'state'],
      [{ all: false }, 'sensors'],
    ];
    for (const [selection, field] of vague) {
      const { status, fields } = await bulk(selection, { delete: {} });
      assert.deepEqual([status, Object.keys(fields ?? {})], [400, [field]], JSON.stringify(selection));
    }
    assert.equal((await user.api.get('/sensors?total=1')).body.total, 3);
    assert.deepEqual(await bulk({ all: true }, { set_metatags: { metatags: { floor: [2] } } }), done(3));
  });

  it('take a state and a time without data next to the filter', async () => {
    const [cold = '', warm = ''] = await buildThree();
    for (const id of [cold, warm]) await user.api.put(`/sensors/${id}/metatags`, { metatags: { kind: ['freezer'] } });
    await upload(user, warm, { value: 1 });
    const filter = { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value: 'freezer' }]] };
    assert.deepEqual(await bulk({ filter, silent_for: 60 }, { delete: {} }), done(1));
    assert.equal((await user.api.get(`/sensors/${cold}`)).status, 404);
    assert.deepEqual(await bulk({ all: true, state: 'firing' }, { delete: {} }), done(0));
    assert.equal((await user.api.get('/sensors?total=1')).body.total, 2);
  });

  it('mute all of them by one mute, and by the same one if the request is repeated', async () => {
    const sensors = await buildThree();
    const end = Math.round(Date.now() / 1000) + 3_600;
    const foreign = await buildSensor(other);
    for (const named of [sensors, [...sensors].reverse()]) {
      const { done: count, failed } = await bulk({ sensors: [...named, foreign] }, { mute: { end, name: 'repair' } });
      assert.deepEqual([count, failed.length], [3, 1]);
    }
    const { mutes } = (await user.api.get('/mutes')).body;
    assert.deepEqual([mutes.length, mutes[0].name, mutes[0].end], [1, 'repair', end]);
    assert.deepEqual(mutes[0].sensors.sort(), [...sensors].sort());
    await bulk({ sensors: sensors.slice(1) }, { mute: { end, name: 'repair' } });
    await bulk({ sensors }, { mute: { end: end + 60, name: 'repair' } });
    assert.equal((await user.api.get('/mutes')).body.mutes.length, 3);
  });

  it('are refused without a selection, with two, and with two actions', async () => {
    const sensors = await buildThree();
    assert.equal((await bulk({}, { delete: {} })).status, 400);
    assert.equal((await bulk({ sensors, filter: {} }, { delete: {} })).status, 400);
    assert.equal((await bulk({ sensors }, { delete: {}, unshare: { id: other.id } })).status, 400);
    assert.equal((await bulk({ sensors }, { paint: {} })).status, 400);
  });
});
