import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { type Receiver, startReceiver } from '../support/receiver';
import { subscribe } from '../support/subscribe';
import { until } from '../support/until';

const EVENTS = 12;

describe('what a user hears of one event at one receiver', () => {
  let platform: Platform;
  let receiver: Receiver;
  let user: TestUser;

  before(async () => {
    platform = await startPlatform();
    await platform.startWorkers(['events', 'deliveries'], 2);
  });
  after(() => platform.close());
  beforeEach(async () => {
    [receiver, user] = [await startReceiver(), await platform.user()];
  });
  afterEach(() => receiver.close());

  const addSensor = async (): Promise<string> =>
    (await user.api.post('/sensors', { sensor: { name: 'door' } })).body.sensor.id;
  const heardOf = (sensorId: string) =>
    receiver.received.filter(({ form }) => form.subject_id === sensorId).map(({ path }) => path);

  it('comes by priority, also when two workers send at once', async () => {
    for (const priority of [1, 9, 5, 3, 7]) {
      await subscribe(user, `${receiver.url}/${priority}`, 'add_sensor', { priority });
    }
    const sensors: string[] = [];
    for (let count = 0; count < EVENTS; count += 1) sensors.push(await addSensor());
    await receiver.waitFor(EVENTS * 5, 30_000);
    for (const id of sensors) assert.deepEqual(heardOf(id), ['/9', '/7', '/5', '/3', '/1']);
  });

  it('does not wait for an answer to what came before', async () => {
    for (const priority of [1, 2]) await subscribe(user, `${receiver.url}/${priority}`, 'add_sensor', { priority });
    let release = () => {};
    receiver.answers.push((response: ServerResponse) => {
      release = () => response.writeHead(200).end();
    });
    const sensorId = await addSensor();
    await receiver.waitFor(2);
    release();
    assert.deepEqual(heardOf(sensorId), ['/2', '/1']);
  });

  it('is tried although what should come before cannot connect', async () => {
    await receiver.close();
    for (const priority of [1, 2, 3]) await subscribe(user, `${receiver.url}/${priority}`, 'add_sensor', { priority });
    await addSensor();
    const tried = async () =>
      (await user.api.get('/deliveries')).body.deliveries.map(
        ({ attempts }: { attempts: { error: string }[] }) => attempts[0]?.error,
      );
    await until('each was tried', async () => (await tried()).filter(Boolean).length === 3);
    assert.deepEqual(await tried(), Array(3).fill('connection refused'));
  });
});
