import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';

import { type Receiver, startReceiver } from '../../support/receiver';
import { subscribe } from '../../support/subscribe';
import { until } from '../../support/until';

const EVENTS = 12;

describe('the deliveries of one event to one receiver of a user', () => {
  const platform = usePlatform();
  let receiver: Receiver;
  const user = useUserPerTest(platform);

  before(async () => {
    await platform.startWorkers(['events', 'deliveries'], 2);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const pathsOf = (sensorId: string) =>
    receiver.received.filter(({ form }) => form.subject_id === sensorId).map(({ path }) => path);

  it('arrive in order of priority, even when two workers send simultaneously', async () => {
    for (const priority of [1, 9, 5, 3, 7]) {
      await subscribe(user, `${receiver.url}/${priority}`, 'add_sensor', { priority });
    }
    const sensors: string[] = [];
    for (let count = 0; count < EVENTS; count += 1) sensors.push(await buildSensor(user));
    await receiver.waitFor(EVENTS * 5);
    for (const id of sensors) assert.deepEqual(pathsOf(id), ['/9', '/7', '/5', '/3', '/1']);
  });

  it('do not wait for the response to the previous one', async () => {
    for (const priority of [1, 2]) await subscribe(user, `${receiver.url}/${priority}`, 'add_sensor', { priority });
    let release = () => {};
    receiver.responses.push((response: ServerResponse) => {
      release = () => response.writeHead(200).end();
    });
    const sensorId = await buildSensor(user);
    await receiver.waitFor(2);
    release();
    assert.deepEqual(pathsOf(sensorId), ['/2', '/1']);
  });

  it('are attempted although the previous one cannot connect', async () => {
    await receiver.close();
    for (const priority of [1, 2, 3]) await subscribe(user, `${receiver.url}/${priority}`, 'add_sensor', { priority });
    await buildSensor(user);
    const errors = async () =>
      (await user.api.get('/deliveries')).body.deliveries.map(
        ({ attempts }: { attempts: { error: string }[] }) => attempts[0]?.error,
      );
    await until('each was attempted', async () => (await errors()).filter(Boolean).length === 3);
    assert.deepEqual(await errors(), Array(3).fill('connection refused'));
  });
});
