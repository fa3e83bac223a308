import assert from 'node:assert/strict';
import { FairSemaphore } from '../../../src/fairness/fair-semaphore';

const [ANNA, BEN] = [1, 2];
const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('the gate of large bodies', () => {
  it('never lets more pass than at once, also when a place is freed while another asks', async () => {
    const gate = new FairSemaphore<number>(1, 10);
    const { signal } = new AbortController();
    let inside = 0;
    let most = 0;
    const pass = async (userId: number) => {
      const leave = await gate.enter(userId, signal);
      inside += 1;
      most = Math.max(most, inside);
      await tick();
      inside -= 1;
      leave();
    };
    await Promise.all(Array.from({ length: 10 }, (_, index) => pass(index % 2 ? ANNA : BEN)));
    assert.deepEqual([most, inside], [1, 0]);
  });

  it('takes users in turns, and refuses a user who has too many waiting', async () => {
    const gate = new FairSemaphore<number>(1, 3);
    const { signal } = new AbortController();
    const leave = await gate.enter(ANNA, signal);
    const order: number[] = [];
    const waiting = [ANNA, ANNA, ANNA, BEN].map(async (userId) => {
      const free = await gate.enter(userId, signal);
      order.push(userId);
      free();
    });
    await assert.rejects(gate.enter(ANNA, signal), { status: 429 });
    leave();
    await Promise.all(waiting);
    assert.deepEqual(order, [ANNA, BEN, ANNA, ANNA]);
  });

  it('refuses at once when too many wait in all, but nobody who has no more than an equal share', async () => {
    const gate = new FairSemaphore<number>(1, 10, 4);
    const { signal } = new AbortController();
    const leave = await gate.enter(ANNA, signal);
    const places = [ANNA, ANNA, ANNA, ANNA].map((userId) => gate.enter(userId, signal));
    await assert.rejects(gate.enter(ANNA, signal), { status: 503, retryAfterSeconds: 1 });
    places.push(gate.enter(BEN, signal), gate.enter(BEN, signal));
    await assert.rejects(gate.enter(BEN, signal), { status: 503 });
    leave();
    await Promise.all(places.map(async (place) => (await place)()));
    for (let again = 0; again < 5; again += 1) (await gate.enter(ANNA, signal))();
  });

  it('gives no place to a request that was given up', async () => {
    const gate = new FairSemaphore<number>(1, 3);
    await assert.rejects(gate.enter(ANNA, AbortSignal.abort()), { status: 429 });
    const leave = await gate.enter(BEN, new AbortController().signal);
    leave();
  });
});
