import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DeliveryOrder } from '../../../src/queue/delivery-order';

const [ANNA, BEN] = [1, 2];
const trigger = (ownerId: number, priority = 0) => ({ ownerId, priority, cause: 'trigger' as const });

describe('the order of deliveries in the queue', () => {
  let nowMs = 1_000_000;
  const build = () => new DeliveryOrder(() => nowMs);

  it('puts the delivery of another owner before most of many earlier deliveries', () => {
    const order = build();
    const crowd = Array.from({ length: 1_000 }, () => order.next(trigger(ANNA)));
    nowMs += 50;
    const other = order.next(trigger(BEN));
    assert.ok(crowd.filter((rank) => rank < other).length <= 6);
  });

  it('applies a priority only among the deliveries of its owner', () => {
    const order = build();
    const plain = order.next(trigger(BEN));
    const urgent = Array.from({ length: 100 }, () => order.next(trigger(ANNA, 400_000)));
    assert.ok(urgent.every((rank) => rank >= plain));
    const waiting = Array.from({ length: 50 }, () => order.next(trigger(BEN)));
    const own = order.next(trigger(BEN, 1));
    assert.ok(
      waiting.slice(1).every((rank) => rank > own),
      'an urgent one overtakes those of the same owner',
    );
  });

  it('keeps the order of an owner’s deliveries of equal priority, with triggers before events', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 200 }), (pauses) => {
        const order = build();
        const ranks = pauses.map((pause) => {
          nowMs += pause;
          return order.next(trigger(ANNA));
        });
        assert.ok(ranks.every((rank, index) => index === 0 || rank > (ranks[index - 1] ?? 0) || pauses[index] === 0));
        assert.deepEqual(
          ranks,
          [...ranks].sort((a, b) => a - b),
        );
      }),
    );
    const order = build();
    const first = order.next(trigger(BEN));
    assert.ok(order.next({ ...trigger(BEN), cause: 'event' }) > first);
  });

  it('forgets an owner whose deliveries are infrequent', () => {
    const order = build();
    order.next(trigger(ANNA));
    nowMs += 10;
    assert.equal(order.next(trigger(ANNA)), build().next(trigger(BEN)));
  });
});
