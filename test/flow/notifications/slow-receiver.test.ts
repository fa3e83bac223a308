import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { buildNotification, buildSensor } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { type Receiver, startReceiver } from '../../support/receiver';
import { subscribe } from '../../support/subscribe';
import { until } from '../../support/until';

const PER_RECEIVER = 8;

describe('a slow or dead receiver', () => {
  const platform = usePlatform({
    config: { DELIVERY_CONCURRENCY: '10', DELIVERY_RECEIVER_CONCURRENCY: String(PER_RECEIVER) },
  });
  const user = useUser(platform);
  let slow: Receiver;
  let good: Receiver;
  /** Requests that still wait for a response of the slow receiver. */
  let held: ServerResponse[];
  let mostHeld: number;

  beforeEach(async () => {
    [slow, good, held, mostHeld] = [await startReceiver(), await startReceiver(), [], 0];
  });
  afterEach(async () => {
    await Promise.all([slow.close(), good.close()]);
    await platform.stopWorkers();
    await platform.query('DELETE FROM deliveries');
  });

  const startWorkers = (count: number) => platform.startWorkers(['events', 'deliveries', 'schedule'], count);
  /** The next requests get no response until they are released. */
  const hold = (count: number) =>
    slow.responses.push(
      ...Array.from({ length: count }, () => (response: ServerResponse) => {
        held.push(response);
        mostHeld = Math.max(mostHeld, held.length);
      }),
    );
  const release = (count = held.length, status = 200) => {
    for (const response of held.splice(0, count)) response.writeHead(status).end();
  };
  const notify = (destination: string, text = '') => buildNotification(user, { destination, text });
  const send = async (notificationId: string, count: number) => {
    for (let sent = 0; sent < count; sent += 25) {
      const batch = Array.from({ length: Math.min(25, count - sent) });
      await Promise.all(batch.map(() => user.api.post(`/notifications/${notificationId}/test?wait=0`)));
    }
  };
  const countWhere = async (condition: string): Promise<number> => {
    const rows = await platform.query(`SELECT COUNT(*) AS count FROM deliveries WHERE ${condition}`);
    return rows[0]?.count;
  };
  const untilHeld = (count: number) => until(`${count} requests wait for a response`, () => held.length === count);
  const untilThrottled = (count: number) =>
    until(`${count} deliveries are throttled`, async () => (await countWhere('throttled_ms IS NOT NULL')) >= count);

  it('delays no deliveries to others, and gets its own 300 when it has recovered', async () => {
    const [toSlow, toGood] = [await notify(slow.url), await notify(good.url)];
    hold(300);
    await send(toSlow, 300);
    await startWorkers(2);
    await untilHeld(PER_RECEIVER);
    await send(toGood, 60);
    await good.waitFor(60);
    // The good receiver got everything before the slow one responded to a single request.
    assert.deepEqual([slow.received.length, held.length], [PER_RECEIVER, PER_RECEIVER]);
    await untilThrottled(300 - PER_RECEIVER);
    const { deliveries } = (await user.api.get(`/deliveries?status=pending&notification_id=${toSlow}&per_page=1000`))
      .body;
    assert.equal(deliveries.length, 300);
    assert.ok(deliveries.every((delivery: { next_attempt: number | null }) => delivery.next_attempt !== null));
    const drain = setInterval(() => release(), 5);
    await slow.waitFor(300).finally(() => clearInterval(drain));
    const allDelivered = async () => {
      release();
      return (await countWhere("status = 'delivered'")) === 360;
    };
    await until('all are delivered', allDelivered);
    assert.equal(mostHeld, PER_RECEIVER);
    assert.equal(new Set(slow.received.map(({ headers }) => headers['webhook-id'])).size, 300);
    assert.equal(slow.received.length, 300, 'each of them once');
  });

  it('gets fewer simultaneous attempts while it keeps failing, and its full share soon after it has recovered', async () => {
    const toSlow = await notify(slow.url);
    slow.responses.push(500, 500, 500);
    await startWorkers(2);
    await send(toSlow, 3);
    await slow.waitFor(3);
    await until('all permits are free', async () => (await countWhere('permit IS NOT NULL')) === 0);
    hold(100);
    await send(toSlow, 60);
    await untilHeld(PER_RECEIVER / 4);
    await untilThrottled(58);
    assert.equal(mostHeld, PER_RECEIVER / 4);
    while (held.length < PER_RECEIVER && slow.received.length < 63) {
      const { length } = slow.received;
      release(1);
      await until('the next request arrives', () => slow.received.length > length);
    }
    assert.equal(mostHeld, PER_RECEIVER);
    const drain = setInterval(() => release(), 5);
    await slow.waitFor(63).finally(() => clearInterval(drain));
    release();
  });

  it('gets the waiting deliveries in order of priority', async () => {
    const toSlow = await notify(`${slow.url}/fill`);
    await subscribe(user, `${slow.url}/low`, 'add_sensor', { priority: -5 });
    await subscribe(user, `${slow.url}/high`, 'add_sensor', { priority: 5 });
    hold(100);
    await startWorkers(1);
    await send(toSlow, PER_RECEIVER);
    await untilHeld(PER_RECEIVER);
    for (let count = 0; count < 3; count += 1) await buildSensor(user);
    await untilThrottled(6);
    for (let arrived = PER_RECEIVER; arrived < PER_RECEIVER + 6; arrived += 1) {
      release(1);
      await slow.waitFor(arrived + 1);
    }
    const order = slow.received.slice(PER_RECEIVER).map(({ path }) => path);
    assert.deepEqual(order, ['/high', '/high', '/high', '/low', '/low', '/low']);
    release();
  });
});
