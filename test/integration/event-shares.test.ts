import assert from 'node:assert/strict';
import { ALL_USERS, EVENTS, type EventShare, enqueueEventDispatch } from '../../jobs/event.job';
import { EventRotation } from '../../src/notifications/dispatch/waiting-events';
import { fakeClock } from '../support/fake-clock';
import { usePlatform, useUser } from '../support/hooks';
import { connectOtherClient } from '../support/other-client';
import { sentDuring } from '../support/sent-statements';
import { until } from '../support/until';
import { Causers } from '../support/waiting-events';

const EVEN: EventShare = { share: 0, of: 2 };
const ODD: EventShare = { share: 1, of: 2 };

describe('the events of a share of the users', () => {
  const clock = fakeClock(Date.UTC(2026, 10, 21));
  const platform = usePlatform({ clock });
  const user = useUser(platform);
  const waiting = async () => Number((await platform.query('SELECT COUNT(*) AS total FROM events'))[0]?.total);

  beforeEach(async () => {
    await platform.query('DELETE FROM deliveries');
    await platform.query('DELETE FROM events');
  });

  it('are dispatched once and in order while another job takes those of all users', async () => {
    const causers = await Causers.insert(platform, user, 60);
    const { queues, eventDispatcher } = platform.container;
    const began: EventShare[] = [];
    const dispatchWaiting = eventDispatcher.dispatchWaiting.bind(eventDispatcher);
    eventDispatcher.dispatchWaiting = (share = ALL_USERS) => {
      began.push(share);
      return dispatchWaiting(share);
    };
    await causers.raise(40);
    await enqueueEventDispatch(
      queues.events,
      [0, 1, 2, 3].map((share) => ({ share, of: 4 })),
    );
    await queues.events.add(EVENTS, ALL_USERS, { priority: 1, deduplication: { id: EVENTS, keepLastIfActive: true } });
    await platform.startWorkers(['events', 'schedule'], 2);
    await until('all are dispatched', async () => (await waiting()) === 0);
    await platform.stopWorkers();
    Reflect.deleteProperty(eventDispatcher, 'dispatchWaiting');
    await causers.assertReceived(40);
    const shares = began.map(({ share, of }) => `${share} of ${of}`);
    for (const share of ['0 of 1', '0 of 4', '1 of 4', '2 of 4', '3 of 4']) assert.ok(shares.includes(share), share);
  });

  it('wait neither for a flood of another share, nor for more than a batch of a flood in their own', async () => {
    const causers = await Causers.insert(platform, user, 20);
    const [flooding = 0, ...others] = causers.ids; // an even id
    const isOdd = (id: number) => id % 2 === 1;
    await causers.raise(1_000, [flooding]);
    await causers.raise(5, others);
    const { eventDispatcher } = platform.container;
    assert.equal(await eventDispatcher.dispatchWaiting(ODD), 50);
    await causers.assertReceived(5, others.filter(isOdd));
    await eventDispatcher.dispatchWaiting(EVEN);
    const rows = await platform.query('SELECT owner_id AS ownerId FROM deliveries ORDER BY id');
    const last = Math.max(...rows.map(({ ownerId }, index) => (Number(ownerId) === flooding ? 0 : index)));
    assert.ok(last < 50 + 500, `the last of the others came after ${last}`);
    assert.equal(rows.length, 5 * 19 + 1_000);
  });

  it('are set aside and tried again by their own share', async () => {
    const causers = await Causers.insert(platform, user, 4);
    await causers.raise(3);
    await platform.query('UPDATE events SET retry_at_ms = ?', [clock.now()]);
    const { eventDispatcher } = platform.container;
    assert.equal(await eventDispatcher.dispatchWaiting(ODD), 6);
    assert.equal(await eventDispatcher.dispatchWaiting(ODD), 0);
    assert.equal(await eventDispatcher.dispatchWaiting(EVEN), 6);
  });

  it('are found by a few looks at an index, however many events others have', async () => {
    const causers = await Causers.insert(platform, user, 6);
    const [first = 0, ...others] = causers.ids;
    await causers.raise(20_000, [first]);
    await causers.raise(1, others);
    const passes = new EventRotation(platform.container.database.pool, ODD);
    const users: number[] = [];
    const all = await sentDuring(async () => users.push(...(await passes.nextUsers())));
    const sent = all.filter((sql) => /FROM events/.test(sql));
    assert.deepEqual(
      users,
      causers.ids.filter((id) => id % 2 === 1),
    );
    assert.ok(sent.length > 0 && sent.length <= 6, `${sent.length} statements`);
    for (const sql of sent) {
      const [plan] = await platform.query(`EXPLAIN FORMAT=TRADITIONAL ${sql}`);
      assert.equal(plan?.key, 'events_waiting');
      assert.match(String(plan?.Extra), /Using index/);
    }
  });

  it('are found behind very many users of other shares', async () => {
    const causers = await Causers.insert(platform, user, 2_600);
    const last = causers.ids.at(-1) ?? 0;
    await causers.raise(
      1,
      causers.ids.filter((id) => id % 2 === 0),
    );
    await causers.raise(1, [last]);
    const passes = new EventRotation(platform.container.database.pool, ODD);
    const found: number[][] = [];
    for (let call = 0; call < 3; call += 1) found.push(await passes.nextUsers());
    assert.deepEqual(found.filter((users) => users.length > 0)[0], [last]);
  });

  it('do not wait for a user of whom another dispatcher has the oldest event', async () => {
    const causers = await Causers.insert(platform, user, 4);
    const [first = 0, ...others] = causers.ids;
    await causers.raise(3);
    const other = await connectOtherClient(platform);
    try {
      await other.beginTransaction();
      await other.query('SELECT id FROM events WHERE id = ? FOR UPDATE', [(await causers.oldest([first]))[0]]);
      const { eventDispatcher } = platform.container;
      await Promise.all([EVEN, ODD, ALL_USERS].map((share) => eventDispatcher.dispatchWaiting(share)));
      await causers.assertReceived(3, others);
    } finally {
      await other.rollback();
      await other.end();
    }
  });
});
