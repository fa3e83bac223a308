import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildNotification, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { sentDuring } from '../../support/sent-statements';

describe('lists of deliveries', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const notify = (text = 'hello', destination = receiver.url) => buildNotification(user, { destination, text });
  const ids = (body: { deliveries: { id: string }[] }) => body.deliveries.map(({ id }) => id);

  it('are listed by status and notification, page by page', async () => {
    const [first, second] = [await notify('a'), await notify('b')];
    const made: string[] = [];
    for (const notificationId of [first, second, first]) {
      made.push((await user.api.post(`/notifications/${notificationId}/test?wait=0`)).body.delivery.id);
    }
    receiver.responses.push(410);
    await platform.settle();
    assert.deepEqual(ids((await user.api.get('/deliveries')).body), made);
    assert.deepEqual(ids((await user.api.get('/deliveries?status=failed')).body), made.slice(0, 1));
    assert.deepEqual(ids((await user.api.get(`/deliveries?notification_id=${first}`)).body), [made[0], made[2]]);
    const page = await user.api.get(`/deliveries?notification_id=${first}&status=delivered&total=1&per_page=1`);
    assert.deepEqual([ids(page.body), page.body.total], [[made[2]], 1]);
    assert.equal((await user.api.get('/deliveries?status=lost')).status, 400);
    assert.deepEqual(ids((await user.api.get('/deliveries?status=&notification_id=')).body), made);
  });

  it('are listed newest first, and by when they were created', async () => {
    const notificationId = await notify();
    const made: string[] = [];
    const startMs = clock.now();
    for (let minute = 0; minute < 4; minute += 1) {
      made.push((await user.api.post(`/notifications/${notificationId}/test?wait=0`)).body.delivery.id);
      clock.advance(60_000);
    }
    const listed = async (query: string) => ids((await user.api.get(`/deliveries?${query}`)).body);
    const at = (minute: number) => startMs / 1000 + minute * 60;
    assert.deepEqual(await listed('sort=desc'), [...made].reverse());
    assert.deepEqual(await listed('sort=DESC&per_page=2&page=1'), [made[1], made[0]]);
    assert.deepEqual(await listed('sort=asc&start_date=0&end_date='), made);
    assert.deepEqual(await listed(`start_date=${at(1)}&end_date=${at(2)}`), [made[1], made[2]]);
    assert.deepEqual(await listed(`start_date=${new Date(at(3) * 1000).toISOString()}&sort=desc`), [made[3]]);
    assert.deepEqual(await listed(`end_date=${at(0) - 0.001}`), []);
    const { body } = await user.api.get(`/deliveries?total=1&per_page=1&start_date=${at(2)}`);
    assert.equal(body.total, 2);
    for (const query of ['sort=sideways', 'start_date=soon', 'end_date=x']) {
      const { status, body: refused } = await user.api.get(`/deliveries?${query}`);
      assert.deepEqual([status, Object.keys(refused.fields)], [400, [query.split('=')[0]]]);
    }
  });

  it('are not listed by an impossible id of a notification, and are none for an unknown one', async () => {
    for (const id of ['x', '0', '-1', '1.5', '1e3']) {
      const { status, body } = await user.api.get(`/deliveries?notification_id=${id}`);
      assert.deepEqual([status, body.fields], [400, { notification_id: 'must be the id of a notification' }], id);
    }
    assert.deepEqual((await user.api.get('/deliveries?notification_id=2147483647')).body, { deliveries: [] });
  });

  it('are listed by sensor and trigger', async () => {
    const notifications = [{ type: 'url', destination: receiver.url }];
    const alarm = { trigger: { expression: 'true' }, notifications };
    const alarms = [await buildAlarm(user, alarm), await buildAlarm(user, alarm)];
    for (const { sensorId } of alarms) await upload(user, sensorId, { value: 99 });
    await platform.settle();
    const [first] = alarms;
    const named = async (query: string) =>
      (await user.api.get(`/deliveries?${query}`)).body.deliveries.map((one: Record<string, string>) => one.sensor_id);
    assert.equal((await named('')).length, 2);
    assert.deepEqual(await named(`sensor_id=${first?.sensorId}`), [first?.sensorId]);
    assert.deepEqual(await named(`trigger_id=${first?.triggerId}&aggregated=false`), [first?.sensorId]);
    assert.deepEqual(await named(`trigger_id=${first?.triggerId}&aggregated=true`), []);
    assert.deepEqual(await named('sensor_id=999999'), []);
    for (const name of ['sensor_id', 'trigger_id', 'digest_id']) {
      assert.equal((await user.api.get(`/deliveries?${name}=x`)).status, 400);
    }
  });

  it('of a period are read by an index, and so are they counted', async () => {
    const nowMs = clock.now();
    const row = (index: number) => [
      ...[
        `${user.id}-${index}`,
        index % 2 ? user.id : 999_999,
        1,
        'test',
        'url',
        'x',
        '',
        'delivered',
        nowMs - index * 60_000,
      ],
    ];
    const columns = 'webhook_id, owner_id, notification_id, kind, type, destination, text, status, created_ms';
    await platform.query(`INSERT INTO deliveries (${columns}) VALUES ?`, [
      Array.from({ length: 5_000 }, (_, i) => row(i)),
    ]);
    await platform.query('ANALYZE TABLE deliveries');
    const path = `/deliveries?total=1&sort=desc&start_date=${nowMs / 1000 - 3_600}`;
    const sent = await sentDuring(async () => assert.equal((await user.api.get(path)).body.total, 30));
    const limited = sent.filter((sql) => sql.includes('created_ms` BETWEEN'));
    assert.equal(limited.length, 2);
    for (const sql of limited) {
      const [plan] = await platform.query(`EXPLAIN FORMAT=TRADITIONAL ${sql}`);
      assert.deepEqual([plan?.type, plan?.key], ['range', 'deliveries_owner_created'], JSON.stringify(plan));
      assert.ok(Number(plan?.rows) < 100, JSON.stringify(plan));
    }
  });
});
