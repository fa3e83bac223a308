import assert from 'node:assert/strict';
import { Verification } from '../../../src/admin/verification';
import { foldFleet } from '../../../src/alerts/fleets/fleet-fold';
import { packMembers } from '../../../src/alerts/rules/fleet';
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
import {
  buildFleet,
  buildMember,
  buildMembers,
  ofKind,
  passTime,
  recount,
  runMethod,
  summariesOf,
  summaryOf,
  tag,
  useKindPerTest,
} from '../../support/fleets';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { valuesOf } from '../../support/services';

describe('a fleet', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUser(platform);
  const other = useUser(platform);
  let kind: string;
  useKindPerTest({ clock, platform }, (next) => {
    kind = next;
  });

  const pass = (ms: number) => passTime({ clock, platform }, ms);
  const send = async (sensorId: string, value: unknown, date = clock.now() / 1_000) => {
    await upload(user, sensorId, { value, date });
    await pass(1_000);
  };
  const several = (count: number, sensor = {}) => buildMembers(user, kind, count, sensor);
  const wrongFleets = async () => {
    const { database, clock: now, config } = platform.container;
    const checks = await new Verification(database.pool, now, config.historyRetentionDays).run();
    return checks.find(({ name }) => name === 'fleets-are-exact')?.violations;
  };

  it('summarises the latest values of the sensors that its filter selects', async () => {
    const [one = '', two = '', three = ''] = await several(3);
    await upload(user, one, { value: -18 });
    const fleet = await buildFleet(user, one, { kind });
    await pass(1_000);
    assert.deepEqual(await summaryOf(user, fleet), {
      ...{ count: 3, average: -18, minimum: -18, maximum: -18, sum: -18, silent: 0, firing: 0 },
    });
    await send(two, -20);
    await send(three, -10);
    assert.deepEqual(await summaryOf(user, fleet), {
      ...{ count: 3, average: -16, minimum: -20, maximum: -10, sum: -48, silent: 0, firing: 0 },
    });
    assert.equal((await user.api.get(`/sensors/${fleet}`)).body.sensor.data_type, 'json');
    assert.equal(await wrongFleets(), 0);
  });

  it('writes at most one point a second, and none if nothing differs', async () => {
    const [one = ''] = await several(1);
    const fleet = await buildFleet(user, one, { kind });
    await pass(1_000);
    for (const value of [1, 2, 3, 4, 5]) {
      await upload(user, one, { value, date: clock.now() / 1_000 });
      clock.advance(300);
      await platform.settle();
    }
    await pass(1_000);
    assert.deepEqual(
      (await summariesOf(user, fleet)).map(({ sum }) => sum),
      [0, 4, 5],
    );
    await send(one, 5);
    assert.equal((await summariesOf(user, fleet)).length, 3);
    const { body } = await user.api.get(`/sensors/${fleet}/data`);
    const dates = body.data.map(({ date }: { date: number }) => date);
    for (const [at, date] of dates.entries()) assert.ok(at === 0 || date - dates[at - 1] >= 1);
  });

  it('is an ordinary sensor: more than 3 of 10 freezers are too warm, and the alert is delivered', async () => {
    const members = await several(10);
    const warm = await buildTrigger(user, {
      name: 'warm',
      expression: 'sensor_data_value > -15',
      selector: ofKind(kind),
    });
    const fleet = await buildFleet(user, members[0] ?? '', { kind, triggerId: warm });
    const many = await buildTrigger(user, { name: 'many', expression: 'sensor_data_value.firing > 3' });
    const text = '{{sensor_data_value.firing}} of {{sensor_data_value.count}}';
    const notification = await buildNotification(user, { destination: receiver.url, text });
    await connectTrigger(user, fleet, many);
    await connectNotification(user, fleet, many, notification);
    await pass(1_000);
    for (const id of members.slice(0, 3)) await send(id, -5);
    assert.deepEqual([(await summaryOf(user, fleet)).firing, receiver.received.length], [3, 0]);
    await send(members[3] ?? '', -5);
    assert.deepEqual(
      receiver.received.map(({ form }) => [form.trigger_id, form.text]),
      [[many, '4 of 10']],
    );
    await send(members[0] ?? '', -18);
    assert.equal((await summaryOf(user, fleet)).firing, 3);
    assert.equal((await user.api.delete(`/triggers/${warm}`)).status, 200);
    await pass(1_000);
    assert.equal((await summaryOf(user, fleet)).firing, 0);
    const { services } = (await user.api.get(`/sensors/${members[0]}/services`)).body;
    assert.match(services.find(({ id }: { id: string }) => id === fleet).last_error, /does not exist any more/);
  });

  it('counts by the clock the sensors without data', async () => {
    const [one = '', two = ''] = await several(2);
    await upload(user, one, { value: 1 });
    const fleet = await buildFleet(user, one, { kind, inactiveAfter: 60 });
    await pass(1_000);
    await pass(58_000);
    assert.equal((await summaryOf(user, fleet)).silent, 0);
    await pass(3_000);
    assert.equal((await summaryOf(user, fleet)).silent, 2);
    await send(two, 5);
    assert.equal((await summaryOf(user, fleet)).silent, 1);
    // No process accepted data meanwhile.
    clock.advance(600_000);
    await platform.container.heartbeat.beat();
    await pass(30_000);
    assert.equal((await summaryOf(user, fleet)).silent, 1);
    await pass(40_000);
    assert.equal((await summaryOf(user, fleet)).silent, 2);
  });

  it('does not count a sensor whose point waits for a pass', async () => {
    const [one = ''] = await several(1);
    const fleet = await buildFleet(user, one, { kind, inactiveAfter: 60 });
    await pass(50_000);
    await upload(user, one, { value: 1 });
    for (let second = 0; second < 20; second += 1) {
      clock.advance(1_000);
      await platform.container.heartbeat.beat();
    }
    await platform.container.services.fleetFolder.run();
    await pass(1_000);
    assert.deepEqual(
      (await summariesOf(user, fleet)).map((each) => each.silent),
      [0, 0],
    );
    assert.equal((await summaryOf(user, fleet)).sum, 1);
  });

  it('takes late points, the same upload again and the same date by the rule of the newest date', async () => {
    const [one = '', two = ''] = await several(2);
    const fleet = await buildFleet(user, one, { kind });
    const at = clock.now() / 1_000;
    await send(one, 10, at);
    await send(one, 99, at - 500);
    await send(one, 10, at);
    await send(two, 1, at);
    assert.equal((await summaryOf(user, fleet)).sum, 11);
    await send(one, 20, at);
    assert.equal((await summaryOf(user, fleet)).sum, 21);
    assert.equal(await wrongFleets(), 0);
  });

  it('follows the sensors that join and leave, with the points that they have', async () => {
    const [one = '', two = ''] = await several(2);
    const fleet = await buildFleet(user, one, { kind });
    await send(one, 1);
    await send(two, 2);
    const third = await buildSensor(user, { data_type: 'float' });
    await upload(user, third, { value: 40 });
    await platform.settle();
    await tag(user, third, kind);
    await pass(1_000);
    assert.deepEqual(await summaryOf(user, fleet), { ...(await recount(platform, fleet)), silent: 0, firing: 0 });
    assert.equal((await summaryOf(user, fleet)).sum, 43);
    await tag(user, two, 'oven');
    await pass(1_000);
    assert.deepEqual([(await summaryOf(user, fleet)).count, (await summaryOf(user, fleet)).sum], [2, 41]);
    await send(two, 500);
    assert.equal((await summaryOf(user, fleet)).sum, 41);
    assert.equal((await user.api.delete(`/sensors/${third}`)).status, 200);
    await pass(1_000);
    assert.deepEqual([(await summaryOf(user, fleet)).count, (await summaryOf(user, fleet)).sum], [1, 1]);
    assert.equal((await user.api.delete(`/sensors/${one}`)).status, 200);
    await pass(1_000);
    assert.deepEqual([(await summaryOf(user, fleet)).count, (await summaryOf(user, fleet)).average], [0, null]);
    await tag(user, two, kind);
    await pass(1_000);
    assert.equal((await summaryOf(user, fleet)).sum, 500);
    assert.equal(await wrongFleets(), 0);
  });

  it('misses no point that a pass handles while its sensor joins', async () => {
    const [one = ''] = await several(1);
    const late = await buildSensor(user, { data_type: 'float' });
    const fleet = await buildFleet(user, one, { kind });
    await pass(1_000);
    await upload(user, late, { value: 7, date: clock.now() / 1_000 });
    await tag(user, late, kind);
    // The pass knows the former members, or the new ones: the order differs from run to run.
    await Promise.all([platform.container.services.fleetFollower.run(), platform.settle()]);
    await upload(user, late, { value: 8, date: clock.now() / 1_000 + 1 });
    await pass(1_000);
    assert.equal((await summaryOf(user, fleet)).sum, 8);
  });

  it('is still due if a worker ends after it took as many changes as one transaction takes', async () => {
    const [one = ''] = await several(1);
    const fleet = await buildFleet(user, one, { kind });
    await pass(1_000);
    const { database, layout } = platform.container;
    const point = { sensorId: Number(one), value: 9, dateMs: clock.now(), receivedMs: clock.now() };
    const rows = Array.from({ length: 200 }, () => [fleet, 0, packMembers([point])]);
    await database.pool.query('INSERT INTO fleet_changes (service_id, version, changes) VALUES ?', [rows]);
    clock.advance(1_000);
    assert.equal((await foldFleet({ pool: database.pool, clock, layout }, Number(fleet))).hasMore, true);
    await pass(1_000);
    assert.equal((await summaryOf(user, fleet)).sum, 9);
  });

  it('reads one field of all its sensors, which may change', async () => {
    const [one = '', two = ''] = await several(2, {
      data_type: 'json',
      data_structure: { inside: 'float', door: 'boolean' },
    });
    const fleet = await buildFleet(user, one, { kind, field: 'inside' });
    await send(one, { inside: -18, door: true });
    await send(two, { inside: -20, door: false });
    assert.equal((await summaryOf(user, fleet)).average, -19);
    await runMethod(user, fleet, 'SetField', 'door');
    await pass(1_000);
    assert.equal((await summaryOf(user, fleet)).average, 0.5);
    await send(two, { inside: -20, door: true });
    assert.equal((await summaryOf(user, fleet)).average, 1);
    assert.equal((await user.api.get(`/sensors/${fleet}/services/${fleet}/GetField`)).body.result, 'door');
    assert.equal(await wrongFleets(), 0);
  });

  it('has the sensors that its owner connects while it has no filter', async () => {
    const [one = '', two = ''] = await several(2);
    const fleet = await buildFleet(user, one);
    const connect = (sensorId: string) => user.api.post(`/sensors/${sensorId}/services`, { service: { id: fleet } });
    assert.equal((await connect(two)).status, 201);
    await send(one, 1);
    await send(two, 2);
    assert.deepEqual([(await summaryOf(user, fleet)).count, (await summaryOf(user, fleet)).sum], [2, 3]);
    assert.equal((await user.api.delete(`/sensors/${two}/services/${fleet}`)).status, 200);
    await pass(1_000);
    assert.deepEqual([(await summaryOf(user, fleet)).count, (await summaryOf(user, fleet)).sum], [1, 1]);
    assert.equal((await runMethod(user, fleet, 'SetFilter', JSON.stringify(ofKind(kind)))).status, 200);
    await pass(1_000);
    assert.equal((await summaryOf(user, fleet)).count, 2);
    for (const { status } of [await connect(two), await user.api.delete(`/sensors/${two}/services/${fleet}`)]) {
      assert.equal(status, 409);
    }
    const foreign = await buildSensor(other);
    await share(other, foreign, user);
    await runMethod(user, fleet, 'SetFilter', '');
    assert.equal((await connect(foreign)).status, 409);
  });

  it('has neither itself nor sensors that use it as members', async () => {
    const [one = ''] = await several(1);
    const fleet = await buildFleet(user, one);
    const { body } = await user.api.post(`/sensors/${fleet}/services`, {
      service: { name: 'statistics_service', data_fields: ['sum'] },
    });
    await runMethod(user, fleet, 'SetFilter', JSON.stringify({ all: true }));
    await pass(1_000);
    const used = await user.api.get(`/sensors/${fleet}/sensors?per_page=1000`);
    const ids = used.body.sensors.map(({ id }: { id: string }) => id);
    assert.ok(ids.includes(one) && !ids.includes(fleet) && !ids.includes(body.service.id), ids.join());
    await send(one, 4);
    assert.ok((await valuesOf(user, body.service.id)).length > 0);
    assert.equal((await user.api.post(`/sensors/${fleet}/services`, { service: { id: fleet } })).status, 409);
    await user.api.delete(`/sensors/${fleet}/services/${fleet}`);
  });

  it('is deleted on its own sensor, whose data stay', async () => {
    const [one = ''] = await several(1);
    const fleet = await buildFleet(user, one, { kind });
    await send(one, 1);
    assert.equal((await user.api.delete(`/sensors/${fleet}/services/${fleet}`)).status, 200);
    await send(one, 2);
    assert.equal((await summaryOf(user, fleet)).sum, 1);
    assert.equal((await user.api.get(`/sensors/${fleet}`)).body.sensor.type, '0');
    assert.equal((await user.api.get(`/sensors/${fleet}/services/${fleet}/methods`)).status, 404);
    const again = await buildFleet(user, one, { kind });
    await send(one, 3);
    assert.equal((await user.api.delete(`/sensors/${again}`)).status, 200);
    await upload(user, one, { value: 4 });
    await pass(1_000);
    for (const table of ['fleets', 'fleet_changes']) {
      assert.deepEqual(await platform.query(`SELECT * FROM ${table} WHERE service_id IN (?)`, [[fleet, again]]), []);
    }
  });

  it('of an account that operators disable waits until they enable it', async () => {
    const owner = await platform.user();
    const sensorId = await buildMember(owner, kind);
    const fleet = await buildFleet(owner, sensorId, { kind, inactiveAfter: 60 });
    await pass(1_000);
    await platform.query('UPDATE users SET disabled_ms = 1 WHERE id = ?', [owner.id]);
    await pass(120_000);
    const count = async () =>
      Number(
        (await platform.query('SELECT COUNT(*) AS points FROM data_points WHERE sensor_id = ?', [fleet]))[0]?.points,
      );
    assert.equal(await count(), 1);
    await platform.query('UPDATE users SET disabled_ms = NULL WHERE id = ?', [owner.id]);
    await pass(1_000);
    assert.equal(await count(), 2);
  });
});
