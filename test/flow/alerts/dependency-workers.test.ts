import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  upload,
} from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { until } from '../../support/until';
import { killWorker, useWorkersElsewhere } from '../../support/workers-elsewhere';

const CHILDREN = 3;

describe('alerts that another alert holds while workers die', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUser(platform);
  const start = useWorkersElsewhere(platform);
  let worker: ChildProcess | undefined;

  const replace = async () => {
    if (worker) await killWorker(worker);
    worker = await start();
  };
  const count = async (sql: string) => Number((await platform.query(`SELECT COUNT(*) AS n FROM ${sql}`))[0]?.n);
  const nameOf = ({ form }: { form: { text?: unknown } }) => String(form.text);

  it('go out once each when it ends, except those that ended before', async () => {
    const rule = { expression: 'sensor_data_value > 30', repeat: 0 };
    const gateway = await buildSensor(user, { name: 'gateway' });
    const parent = await buildTrigger(user, { ...rule, name: 'gateway offline' });
    await connectTrigger(user, gateway, parent);
    const label = { trigger_id: parent, sensor: { label: 'gateway' } };
    const child = await buildTrigger(user, { ...rule, name: 'warm', depends_on: label });
    const sensors: string[] = [];
    const id = await buildNotification(user, { destination: receiver.url, text: '$sensor_name' });
    for (let index = 0; index < CHILDREN; index += 1) sensors.push(await buildSensor(user, { name: `s${index}` }));
    for (const sensor of [gateway, ...sensors]) {
      await user.api.put(`/sensors/${sensor}/metatags`, { metatags: { gateway: ['7'] } });
    }
    for (const sensor of sensors) {
      await connectTrigger(user, sensor, child);
      await connectNotification(user, sensor, child, id);
    }
    await replace();
    for (const sensor of [gateway, ...sensors]) await upload(user, sensor, { value: 31 });
    await until('all have fired', async () => (await count('firings')) === CHILDREN + 1);
    await replace();
    await until('they are held', async () => (await count('firings WHERE held_by IS NOT NULL')) === CHILDREN);
    await replace();
    await upload(user, sensors[0] ?? '', { value: 20 });
    await until('one has ended', async () => (await count("firings WHERE resolved_by = 'data'")) === 1);
    assert.equal(receiver.received.length, 0);
    await replace();
    await upload(user, gateway, { value: 20 });
    await until('the gateway is well', async () => (await count("firings WHERE resolved_by = 'data'")) === 2);
    await replace();
    await until('nothing waits', async () => (await count("deliveries WHERE status = 'pending'")) === 0);
    const texts = receiver.received.map(nameOf).join('\n');
    for (const [index, times] of [0, 1, 1].entries()) {
      assert.equal(texts.split(`s${index}`).length - 1, times, texts);
    }
    assert.equal(await count("deliveries WHERE kind = 'firing'"), CHILDREN - 1);
  });
});
