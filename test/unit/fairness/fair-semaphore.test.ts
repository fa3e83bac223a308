import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { FairSemaphore } from '../../../src/fairness/fair-semaphore';

const [ANNA, BEN] = [1, 2];
const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('a fair semaphore', () => {
  it('never admits more than at once, also if a permit is released while another request asks', async () => {
    const semaphore = new FairSemaphore<number>({ atOnce: 1, waitingPerTenant: 10 });
    let inside = 0;
    let most = 0;
    const pass = async (userId: number) => {
      const leave = await semaphore.enter(userId);
      inside += 1;
      most = Math.max(most, inside);
      await tick();
      inside -= 1;
      leave();
      leave(); // a second time it releases nothing
    };
    await Promise.all(Array.from({ length: 10 }, (_, index) => pass(index % 2 ? ANNA : BEN)));
    assert.deepEqual([most, inside], [1, 0]);
  });

  it('leaves no listener at the signal of a request that has waited', async () => {
    const semaphore = new FairSemaphore<number>({ atOnce: 1 });
    const leave = await semaphore.enter(ANNA);
    const { signal } = new AbortController();
    const waiting = semaphore.enter(BEN, signal);
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    leave();
    (await waiting)();
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('admits tenants round-robin, and refuses a tenant of whom too many requests wait', async () => {
    const semaphore = new FairSemaphore<number>({ atOnce: 1, waitingPerTenant: 3 });
    const leave = await semaphore.enter(ANNA);
    const order: number[] = [];
    const waiting = [ANNA, ANNA, ANNA, BEN].map(async (userId) => {
      const free = await semaphore.enter(userId);
      order.push(userId);
      free();
    });
    await assert.rejects(semaphore.enter(ANNA), { status: 429, retryAfterSeconds: 1 });
    leave();
    await Promise.all(waiting);
    assert.deepEqual(order, [ANNA, BEN, ANNA, ANNA]);
  });

  it('admits a few requests per tenant at once, in order, and those of other tenants next to them', async () => {
    const semaphore = new FairSemaphore<number>({ perTenant: 2, waitingPerTenant: 10 });
    const admitted: string[] = [];
    const enter = (name: string, userId: number) =>
      semaphore.enter(userId).then((leave) => {
        admitted.push(name);
        return leave;
      });
    const [a1, a2, a3, a4] = ['a1', 'a2', 'a3', 'a4'].map((name) => enter(name, ANNA));
    const b1 = enter('b1', BEN);
    await tick();
    assert.deepEqual(admitted, ['a1', 'a2', 'b1']);
    (await b1)();
    await tick();
    assert.equal(admitted.length, 3, 'a permit of Ben is none of Anna');
    (await a2)?.();
    await a3;
    await tick();
    assert.deepEqual(admitted, ['a1', 'a2', 'b1', 'a3']);
    (await a1)?.();
    await a4;
  });

  for (const limit of ['atOnce', 'perTenant']) {
    it(`refuses when too many wait in all, but no tenant with at most an equal share, by ${limit}`, async () => {
      const semaphore = new FairSemaphore<number>({ [limit]: 1, waitingPerTenant: 10, waiting: 4 });
      const places = [ANNA, ANNA, ANNA, ANNA, ANNA, BEN].map((userId) => semaphore.enter(userId));
      await assert.rejects(semaphore.enter(ANNA), { status: 503, retryAfterSeconds: 1 });
      places.push(semaphore.enter(BEN));
      await Promise.all(places.map(async (place) => (await place)()));
      for (let again = 0; again < 5; again += 1) (await semaphore.enter(ANNA))();
    });
  }

  it('admits no request that was aborted, before or while it waits', async () => {
    const semaphore = new FairSemaphore<number>({ atOnce: 1, waitingPerTenant: 1 });
    const gone = new Error('gone');
    await assert.rejects(semaphore.enter(ANNA, AbortSignal.abort(gone)), gone);
    const leave = await semaphore.enter(BEN);
    const closed = new AbortController();
    const waiting = semaphore.enter(BEN, closed.signal);
    closed.abort(gone);
    await assert.rejects(waiting, gone);
    const next = semaphore.enter(BEN);
    leave();
    (await next)();
    (await semaphore.enter(ANNA))();
  });
});
