import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminOf } from '../../support/admin';
import { buildEstate } from '../../support/estate';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  upload,
} from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { runAdmin } from '../../support/other-process';
import { until } from '../../support/until';

/** A port on which nothing answers. */
const NOWHERE = '127.0.0.1:1';

describe('npm run admin', () => {
  const platform = usePlatform({ config: { DELIVERY_RECEIVER_CONCURRENCY: '4' } });
  const user = useUser(platform);
  const receiver = useReceiver();

  /** In a process of its own, as operators do it. */
  const elsewhere = (...args: string[]) => runAdmin(platform, args);
  const { admin, json } = adminOf(platform);
  const counts = async (condition: string) =>
    (await platform.query(`SELECT COUNT(*) AS count FROM deliveries WHERE ${condition}`))[0]?.count;

  it('explains itself, and refuses what it does not know with 2', async () => {
    const [help, unknown, none, noUser] = await Promise.all([
      elsewhere('--help'),
      elsewhere('frobnicate'),
      admin('sessions', 'end', user.username),
      admin('keys', 'list', 'nobody-of-this-name'),
    ]);
    assert.equal(help.exitCode, 0);
    for (const name of [
      'backlog',
      'failures',
      'redeliver',
      'trace',
      'receivers',
      'sessions',
      'keys',
      'verify',
      'migrate',
      'purge',
    ]) {
      assert.match(help.output, new RegExp(`^  ${name} `, 'm'));
    }
    assert.deepEqual([unknown.exitCode, none.exitCode, noUser.exitCode], [2, 2, 1]);
    assert.match(unknown.errors, /unknown command 'frobnicate'/);
    assert.match(noUser.errors, /^error: the user does not exist/);
  });

  it('fails in one line when a setting is wrong or MySQL is away, and needs no Redis', async () => {
    const [wrong, away, noRedis] = await Promise.all([
      runAdmin(platform, ['backlog'], { SENSOR_PARTITIONS: 'many' }),
      runAdmin(platform, ['backlog'], { MYSQL_URL: `mysql://who:secret-word@${NOWHERE}/none` }),
      runAdmin(platform, ['--json', 'backlog'], { REDIS_URL: `redis://${NOWHERE}` }),
    ]);
    assert.deepEqual([wrong.exitCode, away.exitCode, noRedis.exitCode], [1, 1, 0], noRedis.errors);
    assert.match(wrong.errors, /SENSOR_PARTITIONS/);
    assert.match(away.errors, /^error: MySQL cannot be reached \(ECONNREFUSED\)\n$/);
    assert.ok(!away.errors.includes('secret-word'));
    assert.equal(JSON.parse(noRedis.output).points.count, 0);
  });

  it('shows what waits, by partition and by user', async () => {
    const sensorId = await buildSensor(user);
    const triggerId = await buildTrigger(user);
    await connectTrigger(user, sensorId, triggerId);
    await upload(user, sensorId, {
      data: [
        { value: 1, date: 1 },
        { value: 2, date: 2 },
      ],
    });
    const partition = Number(sensorId) % platform.container.config.partitions;
    const [shown, text] = await Promise.all([json('backlog'), elsewhere('backlog')]);
    assert.equal(shown.points.count, 2);
    assert.ok(shown.points.oldestSeconds >= 0);
    assert.deepEqual(
      shown.partitions.map(({ partition: no, batches, count }: Record<string, number>) => ({ no, batches, count })),
      [{ no: partition, batches: 1, count: 2 }],
    );
    assert.deepEqual(shown.users, [
      { userId: Number(user.id), username: user.username, points: 2, events: 0, deliveries: 0 },
    ]);
    assert.match(text.output, /^points to evaluate +2 /m);
    await platform.settle();
    assert.equal((await json('backlog')).points.count, 0);
  });

  it('shows those first of whom most waits, whatever it is', async () => {
    const busier = await platform.user();
    for (const [owner, points] of [
      [user, 2],
      [busier, 1],
    ] as const) {
      const [sensorId, triggerId] = await Promise.all([buildSensor(owner), buildTrigger(owner)]);
      await connectTrigger(owner, sensorId, triggerId);
      await upload(owner, sensorId, {
        data: Array.from({ length: points }, (_, index) => ({ value: 1, date: index })),
      });
    }
    const notificationId = await buildNotification(busier, { destination: receiver.url });
    for (let tests = 0; tests < 2; tests += 1) await busier.api.post(`/notifications/${notificationId}/test?wait=0`);
    assert.deepEqual((await json('backlog')).users, [
      { userId: Number(busier.id), username: busier.username, points: 1, events: 0, deliveries: 2 },
      { userId: Number(user.id), username: user.username, points: 2, events: 0, deliveries: 0 },
    ]);
    await platform.settle();
  });

  it('pauses a receiver in all processes, and loses nothing until it is resumed', async () => {
    const notificationId = await buildNotification(user, { destination: receiver.url });
    const test = () => user.api.post(`/notifications/${notificationId}/test?wait=0`);
    const host = new URL(receiver.url).host;
    const pause = ['receivers', 'pause', `${receiver.url}/any/path?token=secret`, '--reason', 'maintenance'];
    const paused = JSON.parse((await elsewhere('--json', ...pause)).output);
    assert.deepEqual(paused, { receiver: host, paused: true, changed: true, underWay: 0 });
    await platform.startWorkers(['deliveries', 'schedule'], 2);
    await Promise.all(Array.from({ length: 12 }, test));
    await until('all are throttled', async () => (await counts('throttled_ms IS NOT NULL')) === 12);
    await sleep(1_200); // two runs of the reconciler
    assert.equal(receiver.received.length, 0);
    assert.equal(await counts("status = 'pending' AND attempts = 0 AND next_attempt_ms IS NULL"), 12);
    const [listed, verified] = await Promise.all([json('receivers', 'list'), json('verify')]);
    const [{ pausedSinceMs, ...status }] = listed;
    assert.deepEqual(status, {
      ...{ receiver: host, pending: 12, throttled: 12, underWay: 0, failures: 0 },
      reason: 'maintenance',
    });
    assert.ok(pausedSinceMs > 0);
    assert.equal(verified.violations, 0);
    assert.equal((await json('receivers', 'resume', host)).changed, true);
    await receiver.waitFor(12);
    const delivered = `status = 'delivered' AND notification_id = ${notificationId}`;
    await until('all are delivered', async () => (await counts(delivered)) === 12);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 12);
    await platform.stopWorkers();
    assert.equal((await json('receivers', 'resume', host)).changed, false);
  });

  it('counts failed deliveries by cause, and sends a group of them again', async () => {
    const [good, bad] = await Promise.all([
      buildNotification(user, { destination: receiver.url }),
      buildNotification(user, { destination: `http://${NOWHERE}/` }),
    ]);
    receiver.responses.push(404, 410, 404);
    for (const id of [good, good, good, bad]) await user.api.post(`/notifications/${id}/test?wait=0`);
    await platform.settle();
    await platform.query(
      "UPDATE deliveries SET status = 'failed', next_attempt_ms = NULL, finished_ms = ? WHERE status = 'pending'",
      [Date.now()],
    );
    const host = new URL(receiver.url).host;
    const causes: Record<string, unknown>[] = await json('failures', '--receiver', host, '--user', `id:${user.id}`);
    assert.deepEqual(
      causes.map(({ cause, count, users, channel }) => ({ cause, count, users, channel })),
      [
        { cause: 'the receiver answered 404', count: 2, users: 1, channel: 'url' },
        { cause: 'the receiver is permanently gone', count: 1, users: 1, channel: 'url' },
      ],
    );
    assert.equal((await json('failures')).length, 3);
    const webhookId = String(receiver.received[0]?.headers['webhook-id']);
    const traced = await admin('trace', webhookId);
    assert.match(traced.output, new RegExp(`${webhookId}.* to ${host}: failed`));
    assert.match(traced.output, / 404 .*the receiver answered 404$/m);
    const [trial, nothing] = await Promise.all([json('redeliver', '--cause', '404', '--dry-run'), admin('redeliver')]);
    assert.deepEqual(trial, { matched: 2, redelivered: 0, dryRun: true });
    assert.equal(nothing.exitCode, 1);
    assert.match(nothing.errors, /name at least one condition/);
    receiver.received.length = 0;
    assert.deepEqual(
      await json('redeliver', '--receiver', receiver.url, '--cause', 'the receiver answered 404', '--since', '1h'),
      {
        ...{ matched: 2, redelivered: 2, dryRun: false },
      },
    );
    await platform.settle();
    assert.equal(receiver.received.length, 2);
    assert.equal((await json('failures', '--receiver', host)).length, 1);
  });

  it('verifies the tables, and names what is violated with 3', async () => {
    const [sensorId, triggerId] = await Promise.all([buildSensor(user), buildTrigger(user, { inactivity: 100 })]);
    await connectTrigger(user, sensorId, triggerId);
    await connectNotification(user, sensorId, triggerId, await buildNotification(user));
    // One of everything that a user can have, of one user who stays and of one whose account is deleted.
    await buildEstate(platform, await platform.user());
    const leaver = await platform.user();
    await buildEstate(platform, leaver);
    assert.equal((await leaver.api.delete(`/users/${leaver.id}`, { password: leaver.password })).status, 200);
    await json('purge');
    const clean = await admin('--json', 'verify');
    assert.deepEqual([clean.exitCode, JSON.parse(clean.output).violations], [0, 0], clean.output);
    await platform.query('UPDATE sensor_triggers SET due_at_ms = NULL WHERE trigger_id = ?', [triggerId]);
    await platform.query("UPDATE deliveries SET status = 'pending', next_attempt_ms = NULL LIMIT 1");
    await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES (999999, 1, 1, 0)');
    const connection = await platform.container.database.pool.getConnection();
    await connection.query('SET SESSION foreign_key_checks = 0');
    await connection.query('INSERT INTO sensor_users (sensor_id, user_id, created_ms) VALUES (888888, ?, 1)', [
      user.id,
    ]);
    connection.destroy();
    const broken = await elsewhere('--json', 'verify', '--quiet');
    assert.equal(broken.exitCode, 3);
    const found = JSON.parse(broken.output).results.map(({ name }: { name: string }) => name);
    assert.deepEqual(found.sort(), [
      'deliveries-pending-have-no-end',
      'deliveries-wait-for-something',
      'inactivities-watched',
      'points-have-their-sensor',
      'sensor_users_sensor_fk',
    ]);
    assert.match((await admin('verify')).output, /999999/);
  });

  it('migrates, and purges', async () => {
    const [migrated, checked] = await Promise.all([json('migrate'), json('migrate', '--check')]);
    assert.deepEqual(
      [migrated, checked],
      [
        { current: true, changed: false },
        { current: true, changed: false },
      ],
    );
    const gone = await buildSensor(user);
    await upload(user, gone, { value: 1 });
    await platform.settle();
    await user.api.delete(`/sensors/${gone}`);
    const purged = await json('purge');
    assert.ok(purged.deleted > 0 && purged.isDone);
    assert.equal((await platform.query('SELECT 1 FROM data_points WHERE sensor_id = ?', [gone])).length, 0);
  });
});
