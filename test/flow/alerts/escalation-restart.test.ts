import assert from 'node:assert/strict';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  upload,
} from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { Stopwatch } from '../../support/stopwatch';
import { until } from '../../support/until';
import { killWorker, useWorkersElsewhere } from '../../support/workers-elsewhere';

const AFTER_S = 6;
/** How late a delivery may be. */
const LATE_MS = 2_000;

describe('a notification that waits for an episode while workers die', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUser(platform);
  const start = useWorkersElsewhere(platform);

  it('gets the firing once, in time, from another worker', async () => {
    const sensorId = await buildSensor(user);
    const triggerId = await buildTrigger(user, { repeat: 0 });
    await connectTrigger(user, sensorId, triggerId);
    const id = await buildNotification(user, { destination: receiver.url });
    await connectNotification(user, sensorId, triggerId, id, AFTER_S);
    const worker = await start();
    await upload(user, sensorId, { value: 31 });
    await until('it has fired', async () => (await platform.query('SELECT id FROM firings')).length === 1);
    await killWorker(worker);
    await start();
    const [{ dueMs } = { dueMs: 0 }] = await platform.query('SELECT next_attempt_ms AS dueMs FROM deliveries');
    const [firing] = await platform.query('SELECT fired_ms AS firedMs FROM firings');
    await until('it is due', () => Date.now() >= Number(dueMs));
    const watch = new Stopwatch();
    await receiver.waitFor(1);
    assert.ok(watch.stop() < LATE_MS, `it came ${watch.read()} ms late`);
    await until('it is delivered', async () => {
      const [row] = await platform.query('SELECT status FROM deliveries');
      return row?.status === 'delivered';
    });
    const [sent] = await platform.query('SELECT sent_ms AS sentMs FROM deliveries');
    assert.ok(Number(sent?.sentMs) >= Number(firing?.firedMs) + AFTER_S * 1_000, 'it came early');
    assert.equal(receiver.received.length, 1);
  });
});
