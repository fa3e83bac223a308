import assert from 'node:assert/strict';
import { raiseEvents } from '../../src/events/event-log';
import { inPoolTransaction, runOn } from '../../src/storage/transaction';
import { buildSensor, share } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../support/hooks';
import { subscribe } from '../support/subscribe';

describe('the events that one user causes to another', () => {
  const clock = fakeClock(Date.UTC(2026, 10, 21));
  const platform = usePlatform({ clock });
  const actor = useUserPerTest(platform);
  const victim = useUserPerTest(platform);
  const receiver = useReceiver();
  let sensorId: number;

  beforeEach(async () => {
    sensorId = Number(await buildSensor(actor));
    await share(actor, String(sensorId), victim);
    for (const user of [actor, victim]) await subscribe(user, receiver.url, 'fire_trigger');
  });

  const raise = async (count: number) => {
    const events = Array.from({ length: count }, (_, index) => ({
      name: 'fire_trigger' as const,
      subjectId: index + 1,
      sourceId: sensorId,
      userId: Number(actor.id),
    }));
    await inPoolTransaction(platform.container.database.pool, (connection) =>
      raiseEvents(runOn(connection), events, clock.now()),
    );
    const { eventDispatcher } = platform.container;
    await Promise.all([eventDispatcher.dispatchWaiting(), eventDispatcher.dispatchWaiting()]);
  };
  const deliveriesOf = ({ id }: { id: string }) =>
    platform.query(
      `SELECT text, next_attempt_ms - ${clock.now()} AS inMs FROM deliveries WHERE owner_id = ${id} ORDER BY id`,
    );

  it('are delivered one by one up to 60 a minute, the rest counted in one; their own are all delivered', async () => {
    await raise(100);
    await raise(30);
    const received = await deliveriesOf(victim);
    assert.equal(received.length, 61);
    const summary = received.find(({ text }) => String(text) !== '');
    assert.equal(summary?.text, `70 more events caused by user ${actor.id} within a minute`);
    assert.ok(Number(summary?.inMs) > 0 && Number(summary?.inMs) <= 60_000, String(summary?.inMs));
    assert.equal((await deliveriesOf(actor)).length, 130);
    const [waiting] = await platform.query('SELECT COUNT(*) AS total FROM events');
    assert.equal(Number(waiting?.total), 0);
  });

  it('are delivered one by one again a minute later', async () => {
    await raise(70);
    clock.advance(60_000);
    await raise(60);
    assert.equal((await deliveriesOf(victim)).length, 121);
  });
});
