import assert from 'node:assert/strict';
import { CHANNELS } from '../../src/notifications/delivery/channels';
import { DEGRADED_AFTER } from '../../src/notifications/delivery/leases';
import { testChannel } from '../support/channel-suite';
import { usePlatform, useUser } from '../support/hooks';
import { socketChannel, socketRig } from '../support/socket-channel';
import { type SocketServer, startSocketServer } from '../support/socket-server';

testChannel('socket', socketChannel, socketRig);

describe('a third channel that the platform knows only by its descriptor in the table', () => {
  let server: SocketServer;
  let received: { id: string; text: string }[];
  let answer: string;
  let notificationId: string;

  // Before the platform starts, which opens every channel of the table.
  before(async () => {
    Object.assign(CHANNELS, { socket: socketChannel });
    server = await startSocketServer((socket) =>
      socket.on('data', (data) => {
        received.push(JSON.parse(String(data)));
        socket.write(`${answer}\n`);
      }),
    );
  });
  after(async () => {
    Reflect.deleteProperty(CHANNELS, 'socket');
    await server.stop();
  });
  const platform = usePlatform();
  const user = useUser(platform);
  beforeEach(async () => {
    [received, answer] = [[], 'yes'];
    const notification = { type: 'url', destination: 'http://127.0.0.1:9/', text: 'Hello' };
    notificationId = (await user.api.post('/notifications', { notification })).body.notification.id;
    // By SQL: the types that the API accepts are generated at build time.
    const sql = "UPDATE notifications SET type = 'socket', destination = ? WHERE id = ?";
    await platform.query(sql, [destination(), notificationId]);
  });

  const destination = () => `tcp://127.0.0.1:${server.port}`;
  const send = async () => {
    const { body } = await user.api.post(`/notifications/${notificationId}/test?wait=0`);
    await platform.settle();
    return (await user.api.get(`/deliveries/${body.delivery.id}`)).body.delivery;
  };

  it('delivers, and its deliveries are listed like all others', async () => {
    const delivery = await send();
    assert.deepEqual([delivery.type, delivery.status], ['socket', 'delivered']);
    assert.equal(delivery.destination, destination());
    assert.equal(delivery.attempts.length, 1);
    assert.deepEqual(
      received.map(({ text }) => text),
      ['Hello'],
    );
  });

  it('checks a new destination by its own rule', async () => {
    const path = `/notifications/${notificationId}`;
    const wrong = await user.api.put(path, { notification: { destination: 'http://127.0.0.1:9/' } });
    assert.equal(wrong.status, 400);
    assert.deepEqual(wrong.body.fields, { 'notification.destination': 'must be tcp:// with a host and a port' });
    assert.equal((await user.api.put(path, { notification: { destination: destination() } })).status, 200);
  });

  it('schedules another attempt when its receiver asks for later, and gives up when it refuses', async () => {
    answer = 'later';
    const { status, next_attempt, attempts } = await send();
    assert.equal(status, 'pending');
    assert.ok(next_attempt > attempts[0].date);
    assert.equal(attempts[0].error, 'asked for later');
    answer = 'never';
    assert.equal((await send()).status, 'failed');
  });

  it('degrades its receiver by the failures that it counts, and by no others', async () => {
    const failures = () => platform.query('SELECT receiver, failures FROM degraded_receivers');
    answer = 'later';
    await send();
    assert.deepEqual(await failures(), []);
    await server.stop();
    for (let count = 0; count < DEGRADED_AFTER; count += 1) await send();
    assert.deepEqual(await failures(), [{ receiver: `tcp 127.0.0.1:${server.port}`, failures: DEGRADED_AFTER }]);
  });
});
