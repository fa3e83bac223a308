import assert from 'node:assert/strict';
import { SelectorFollower } from '../../../src/alerts/triggers/selector-follower';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  share,
  upload,
} from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { ofKind, tag as tagAs, useKindPerTest } from '../../support/fleets';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { until } from '../../support/until';

describe('a trigger with a selector', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUser(platform);
  const other = useUser(platform);
  let kind: string;
  useKindPerTest({ clock, platform }, (next) => {
    kind = next;
  });

  const tag = (sensorId: string, value: string | null, by = user) => tagAs(by, sensorId, value);
  const buildFreezer = async (name = 'a freezer') => {
    const sensorId = await buildSensor(user, { name });
    await tag(sensorId, kind);
    return sensorId;
  };
  const select = (overrides = {}) => buildTrigger(user, { selector: ofKind(kind), ...overrides });
  const connection = async (sensorId: string, triggerId: string) => {
    const { status, body } = await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`);
    return status === 404 ? null : body.trigger;
  };
  const isConnected = async (sensorId: string, triggerId: string) => (await connection(sensorId, triggerId)) !== null;
  const record = async (triggerId: string) => (await user.api.get(`/triggers/${triggerId}`)).body.trigger;
  const waiting = () => platform.query('SELECT * FROM selector_owners WHERE watched AND version IS NOT NULL');
  const count = async (triggerId: string) => {
    const [row] = await platform.query('SELECT COUNT(*) AS sensors FROM sensor_triggers WHERE trigger_id = ?', [
      triggerId,
    ]);
    return Number(row?.sensors);
  };

  it('is connected to the sensors that match, and to no others', async () => {
    const [freezer, oven] = [await buildFreezer(), await buildSensor(user)];
    const triggerId = await select();
    assert.deepEqual((await record(triggerId)).selector, { ...ofKind(kind), namespace: 'default' });
    assert.equal((await record(triggerId)).selected_sensors, 1);
    await platform.settle();
    assert.deepEqual(
      [(await connection(freezer, triggerId)).by_selector, await isConnected(oven, triggerId)],
      [true, false],
    );
    assert.deepEqual(await waiting(), []);
  });

  it('follows metatags in both directions, new sensors and deleted ones', async () => {
    const triggerId = await select();
    const sensorId = await buildFreezer();
    await platform.settle();
    assert.equal(await isConnected(sensorId, triggerId), true);
    assert.equal((await record(triggerId)).selected_sensors, 1);
    await tag(sensorId, 'oven');
    await platform.settle();
    assert.equal(await isConnected(sensorId, triggerId), false);
    await user.api.post(`/sensors/${sensorId}/metatags`, { metatags: { kind: [kind.toUpperCase()] } });
    await platform.settle();
    assert.equal(await isConnected(sensorId, triggerId), true);
    assert.equal((await user.api.delete(`/sensors/${sensorId}/metatags`)).status, 200);
    await platform.settle();
    assert.equal(await isConnected(sensorId, triggerId), false);
    await tag(sensorId, kind);
    await platform.settle();
    await user.api.delete(`/sensors/${sensorId}`);
    await platform.settle();
    const { selected_sensors, selector_error } = await record(triggerId);
    assert.deepEqual([selected_sensors, selector_error, await count(triggerId)], [0, '', 0]);
  });

  it('follows names, types and other properties', async () => {
    const property = (sensor_property: string, value: unknown) => ({
      selector: { filter: { sensor_statement_groups: [[{ sensor_property, operator: 'equal', value }]] } },
    });
    const name = `cold store ${kind}`;
    const named = await buildTrigger(user, property('name', name));
    const physical = await buildTrigger(user, property('type', 1));
    const virtual = await buildTrigger(user, property('type', 2));
    const sensorId = await buildSensor(user, { name });
    const used = await buildSensor(user);
    const connected = async () => {
      await platform.settle();
      return Promise.all([named, physical, virtual].map((id) => isConnected(sensorId, id)));
    };
    assert.deepEqual(await connected(), [true, false, false]);
    await user.api.put(`/sensors/${sensorId}`, { sensor: { name: 'warm store' } });
    assert.deepEqual(await connected(), [false, false, false]);
    await user.api.post(`/sensors/${sensorId}/device`, { device: { type: 'thermometer', uuid: kind } });
    assert.deepEqual(await connected(), [false, true, false]);
    assert.equal((await user.api.delete(`/sensors/${sensorId}/device`)).status, 200);
    assert.deepEqual(await connected(), [false, false, false]);
    await user.api.post(`/sensors/${sensorId}/sensors`, { sensor: { id: used } });
    assert.deepEqual(await connected(), [false, false, true]);
    await user.api.delete(`/sensors/${used}`);
    assert.deepEqual(await connected(), [false, false, false]);
    for (const id of [named, physical, virtual]) await user.api.delete(`/triggers/${id}`);
  });

  it('follows a number among the metatags across its bound', async () => {
    const filter = {
      metatag_statement_groups: [
        [{ metatag_name: 'kind', operator: 'equal', value: kind }],
        [{ metatag_name: 'limit', operator: '>=', value: 5 }],
      ],
    };
    const triggerId = await select({ selector: { filter } });
    const sensorId = await buildFreezer();
    const isAt = async (limit: number | string) => {
      await user.api.post(`/sensors/${sensorId}/metatags`, { metatags: { limit: [limit] } });
      await platform.settle();
      return isConnected(sensorId, triggerId);
    };
    assert.deepEqual(
      [await isAt(4.9), await isAt('10'), await isAt('high'), await isAt(5)],
      [false, true, false, true],
    );
    assert.deepEqual((await record(triggerId)).selector, { filter, namespace: 'default' });
  });

  it('reads the metatags of its namespace alone', async () => {
    const triggerId = await select({ selector: { ...ofKind(kind), namespace: 'plant' } });
    const sensorId = await buildFreezer();
    await platform.settle();
    assert.equal(await isConnected(sensorId, triggerId), false);
    await user.api.put(`/sensors/${sensorId}/metatags?namespace=plant`, { metatags: { kind: [kind] } });
    await platform.settle();
    assert.equal(await isConnected(sensorId, triggerId), true);
  });

  it('never selects sensors of others, shared or not', async () => {
    const shared = await buildSensor(other);
    await tag(shared, kind, other);
    await share(other, shared, user);
    const triggerId = await select({ selector: { all: true } });
    await platform.settle();
    const rows = await platform.query(
      'SELECT DISTINCT s.owner_id FROM sensor_triggers st JOIN sensors s ON s.id = st.sensor_id WHERE st.trigger_id = ?',
      [triggerId],
    );
    assert.deepEqual(
      rows.map(({ owner_id }) => String(owner_id)),
      [user.id],
    );
    await user.api.delete(`/triggers/${triggerId}`);
  });

  it('keeps connections by hand, made before or after its own', async () => {
    const [before, after, oven] = [await buildFreezer(), await buildFreezer(), await buildSensor(user)];
    const triggerId = await buildTrigger(user);
    await connectTrigger(user, before, triggerId);
    await connectTrigger(user, oven, triggerId);
    await user.api.put(`/triggers/${triggerId}`, { trigger: { selector: ofKind(kind) } });
    await platform.settle();
    await connectTrigger(user, after, triggerId);
    for (const id of [before, after, oven]) assert.equal((await connection(id, triggerId)).by_selector, false);
    await tag(before, null);
    await tag(after, null);
    await platform.settle();
    for (const id of [before, after, oven]) assert.equal(await isConnected(id, triggerId), true);
    assert.equal((await record(triggerId)).selected_sensors, 0);
  });

  it('cannot be disconnected by hand from a sensor that it selects, but deactivated there', async () => {
    const sensorId = await buildFreezer();
    const triggerId = await select();
    await platform.settle();
    const path = `/sensors/${sensorId}/triggers/${triggerId}`;
    const refused = await user.api.delete(path);
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
    assert.match(refused.body.error, /selector/);
    await user.api.put(path, { trigger: { active: false } });
    await tag(await buildSensor(user), kind);
    await platform.settle();
    assert.equal((await connection(sensorId, triggerId)).active, false);
  });

  it('is disconnected as by an edit: open episodes end', async () => {
    const sensorId = await buildFreezer();
    const triggerId = await select();
    await platform.settle();
    await upload(user, sensorId, { value: 31, date: clock.now() / 1000 });
    await platform.settle();
    await tag(sensorId, null);
    await platform.settle();
    const { firings } = (await user.api.get(`/firings?trigger_id=${triggerId}`)).body;
    assert.deepEqual(
      firings.map(({ state, resolved_by }: Record<string, string>) => [state, resolved_by]),
      [['resolved', 'edit']],
    );
    await tag(sensorId, kind);
    await platform.settle();
    assert.deepEqual((await connection(sensorId, triggerId)).times_triggered, 0);
  });

  it('removes its connections with the selector, with a changed one, and with the trigger', async () => {
    const [sensorId, oven] = [await buildFreezer(), await buildSensor(user)];
    await tag(oven, `oven ${kind}`);
    const [triggerId, deleted] = [await select(), await select()];
    await platform.settle();
    await user.api.put(`/triggers/${triggerId}`, { trigger: { selector: ofKind(`oven ${kind}`) } });
    assert.equal((await user.api.delete(`/triggers/${deleted}`)).status, 200);
    await platform.settle();
    assert.deepEqual([await isConnected(sensorId, triggerId), await isConnected(oven, triggerId)], [false, true]);
    assert.equal(await count(deleted), 0);
    const removed = await user.api.put(`/triggers/${triggerId}`, { trigger: { selector: null } });
    assert.deepEqual([removed.body.trigger.selector, removed.body.trigger.selected_sensors], [null, null]);
    await platform.settle();
    assert.equal(await count(triggerId), 0);
    const [row] = await platform.query('SELECT selected_sensors FROM triggers WHERE id = ?', [triggerId]);
    assert.equal(row?.selected_sensors, null);
  });

  it('watches the inactivity of sensors that it selects', async () => {
    const sensorId = await buildFreezer();
    await upload(user, sensorId, { value: 1, date: clock.now() / 1000 });
    const triggerId = await buildTrigger(user, { inactivity: 3600, selector: ofKind(kind) });
    await platform.settle();
    const [row] = await platform.query(
      'SELECT due_at_ms - ? AS ms FROM sensor_triggers WHERE sensor_id = ? AND trigger_id = ?',
      [clock.now(), sensorId, triggerId],
    );
    assert.ok(Number(row?.ms) >= 3_600_000 && Number(row?.ms) <= 3_601_000, String(row?.ms));
  });

  it('delivers a notification of the whole trigger for a sensor that joins later', async () => {
    const triggerId = await select();
    const id = await buildNotification(user, { destination: receiver.url, text: '$sensor_name is warm' });
    assert.equal((await user.api.post(`/triggers/${triggerId}/notifications`, { notification: { id } })).status, 201);
    const sensorId = await buildFreezer('tomorrow’s freezer');
    await platform.settle();
    await upload(user, sensorId, { value: 31, date: clock.now() / 1000 });
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => form),
      [{ sensor_id: sensorId, trigger_id: triggerId, text: 'tomorrow’s freezer is warm' }],
    );
  });

  it('keeps a notification that was connected on the sensor', async () => {
    const sensorId = await buildFreezer();
    const triggerId = await select();
    await platform.settle();
    const id = await buildNotification(user, { destination: receiver.url, text: 'warm' });
    await connectNotification(user, sensorId, triggerId, id);
    await tag(await buildSensor(user), kind);
    await platform.settle();
    await upload(user, sensorId, { value: 31, date: clock.now() / 1000 });
    await platform.settle();
    assert.equal(receiver.received.length, 1);
  });

  it('is followed by a worker on its own, without a nudge', async () => {
    const triggerId = await select();
    const sensorId = await buildFreezer();
    await platform.startWorkers(['schedule']);
    await until('the worker has connected it', () => isConnected(sensorId, triggerId), 10_000);
    await tag(sensorId, null);
    await until('the worker has disconnected it', async () => !(await isConnected(sensorId, triggerId)), 10_000);
  });

  it('misses no change, and connects nothing twice, while two workers follow and metatags change', async () => {
    const sensorIds = await Promise.all(Array.from({ length: 30 }, () => buildSensor(user)));
    const triggerIds = await Promise.all(Array.from({ length: 3 }, () => select()));
    const { database, services, clock: platformClock, logger } = platform.container;
    const events = Reflect.get(services.selectorFollower, 'effects');
    const followers = [services.selectorFollower, new SelectorFollower(database, events, platformClock, logger)];
    let isChanging = true;
    const following = followers.map(async (follower) => {
      while (isChanging) await follower.run();
    });
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(sensorIds.map((id, index) => tag(id, (index + round) % 3 === 0 ? null : kind)));
    }
    isChanging = false;
    await Promise.all(following);
    await platform.settle();
    const expected = sensorIds.map((_, index) => (index + 3) % 3 !== 0);
    for (const triggerId of triggerIds) {
      assert.deepEqual(await Promise.all(sensorIds.map((id) => isConnected(id, triggerId))), expected);
      await user.api.delete(`/triggers/${triggerId}`);
    }
  });

  it('is followed to the end, although each run has time for one part only', async () => {
    await platform.settle(); // a run would serve other users first
    const owner = await platform.user();
    const rows = Array.from({ length: 900 }, (_, index) => [owner.id, `sensor ${index}`, '', 1]);
    await platform.query('INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?', [rows]);
    const triggerId = await buildTrigger(owner, { selector: { all: true } });
    const { database, services, logger } = platform.container;
    let nowMs = clock.now();
    const hurried = { now: () => (nowMs += 2_500) };
    const follower = new SelectorFollower(database, Reflect.get(services.selectorFollower, 'effects'), hurried, logger);
    const counts: number[] = [];
    while ((await waiting()).length > 0) {
      await follower.run();
      counts.push(await count(triggerId));
    }
    assert.deepEqual(counts.slice(0, 5), [200, 400, 600, 800, 900]);
    assert.equal(counts.at(-1), 900);
  });

  it('says that its search takes too long, lets others go first, and is tried again after five minutes', async () => {
    const [slow, other] = [await select(), await select()];
    const sensorId = await buildFreezer();
    const { database, services, logger } = platform.container;
    let isSlow = true;
    const selections = {
      query: async (sql: string, values: unknown[]) => {
        const isOfSlow = isSlow && values.map(String).includes(slow);
        if (isOfSlow) throw Object.assign(new Error('too long'), { errno: 1969, sqlState: '70100' });
        return database.selections.query(sql, values);
      },
    } as typeof database.selections; // all that a follower uses
    const effects = Reflect.get(services.selectorFollower, 'effects');
    const follower = new SelectorFollower({ ...database, selections }, effects, clock, logger);
    const connected = () => Promise.all([slow, other].map((id) => isConnected(sensorId, id)));
    for (let run = 0; run < 3; run += 1) await follower.run();
    assert.match((await record(slow)).selector_error, /takes longer than 2 seconds/);
    assert.deepEqual(await connected(), [false, true]);
    isSlow = false;
    await follower.run();
    assert.deepEqual(await connected(), [false, true], 'it waits');
    clock.advance(300_000);
    for (let run = 0; run < 3; run += 1) await follower.run();
    assert.deepEqual([...(await connected()), (await record(slow)).selector_error], [true, true, '']);
    await follower.run();
    assert.deepEqual(await waiting(), []);
  });

  it('connects and disconnects 1,500 sensors, in parts that others may wait for', async () => {
    const owner = await platform.user();
    const rows = Array.from({ length: 1_500 }, (_, index) => [owner.id, `sensor ${index}`, '', 1]);
    await platform.query('INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?', [rows]);
    const selector = { filter: { sensor_statement_groups: [[{ sensor_property: 'name', operator: 'is_set' }]] } };
    const triggerId = await buildTrigger(owner, { selector, inactivity: 3600 });
    const began = performance.now();
    await platform.settle();
    const tookMs = performance.now() - began;
    assert.equal(await count(triggerId), 1_500);
    assert.ok(tookMs < 60_000, `${tookMs} ms`);
    await owner.api.put(`/triggers/${triggerId}`, { trigger: { selector: null } });
    await platform.settle();
    assert.equal(await count(triggerId), 0);
  });
});
