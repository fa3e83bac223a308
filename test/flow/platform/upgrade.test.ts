import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { migrations } from '../../../src/storage/migrations/all';
import { FORMER_MIGRATIONS } from '../../../src/storage/migrations/baseline/former-release';
import { migrator } from '../../../src/storage/migrations/migrator';
import { apiClient } from '../../support/api-client';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  upload,
} from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { runAdmin, startApiElsewhere, startWorkerElsewhere } from '../../support/other-process';
import { until } from '../../support/until';

describe('processes that start on the database of the former release', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const receiver = useReceiver();
  const children: ChildProcess[] = [];

  after(async () => {
    for (const child of children) {
      const ended = once(child, 'exit');
      if (child.kill('SIGKILL')) await ended;
    }
  });

  it('migrate it, keep what is in it, evaluate what waits there, and send what is pending', async () => {
    const [firing, waiting] = [await buildSensor(user), await buildSensor(user)];
    const triggerId = await buildTrigger(user, { expression: 'sensor_data_value > 30' });
    const notificationId = await buildNotification(user, {
      destination: receiver.url,
      text: '$sensor_id $sensor_data_value',
    });
    for (const sensorId of [firing, waiting]) {
      await connectTrigger(user, sensorId, triggerId);
      await connectNotification(user, sensorId, triggerId, notificationId);
    }
    receiver.responses.push(503);
    await upload(user, firing, { value: 31 });
    await platform.settle();
    const [failed] = receiver.received;
    assert.ok(failed);
    await upload(user, waiting, { value: 32 });

    const { sequelize } = platform.container.database;
    const [, firstNew] = migrations;
    assert.ok(firstNew, 'there is a migration since the former release');
    await (await migrator(sequelize)).down({ to: firstNew.name });
    await platform.query('DELETE FROM migrations');
    await platform.query('INSERT INTO migrations (name) VALUES ?', [FORMER_MIGRATIONS.map((name) => [name])]);
    assert.equal((await platform.anonymous.get('/readyz')).status, 503);

    const { redisUrl } = platform.container.config;
    const api = await startApiElsewhere(platform, redisUrl);
    children.push(api.child);
    children.push(await startWorkerElsewhere(platform, redisUrl)); // while the API migrates
    const ready = async () => (await fetch(`${api.url}/readyz`).catch(() => undefined))?.status === 200;
    await until('the API is ready', ready);
    const texts = () => receiver.received.map(({ form }) => form.text);
    await until('both are delivered', () => receiver.received.length >= 3);
    assert.deepEqual(texts(), [`${firing} 31`, ...texts().slice(1)]);
    assert.deepEqual(texts().slice(1).sort(), [`${firing} 31`, `${waiting} 32`].sort());
    const again = receiver.received.slice(1).find(({ form }) => form.text === `${firing} 31`);
    assert.equal(again?.headers['webhook-id'], failed.headers['webhook-id']);

    const client = apiClient(api.url, { 'X-SESSION_ID': user.session });
    const { body } = await client.get(`/sensors/${firing}/data`);
    assert.deepEqual(
      body.data.map(({ value }: { value: string }) => value),
      ['31'],
    );
    const verified = await runAdmin(platform, ['verify', '--quiet']);
    assert.equal(verified.exitCode, 0, `${verified.output}${verified.errors}`);
  });
});
