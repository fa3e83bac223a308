import assert from 'node:assert/strict';
import { TenantSemaphores } from '../../../src/fairness/tenant-semaphores';

const forever = new AbortController().signal;
const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('the gate of users', () => {
  it('admits a few requests per user at the same time, and the others of the user in order', async () => {
    const gate = new TenantSemaphores<number>(2, 10);
    const passed: string[] = [];
    const enter = (name: string, userId: number) =>
      gate.enter(userId, forever).then((leave) => {
        passed.push(name);
        return leave;
      });
    const [a1, a2, a3, a4] = ['a1', 'a2', 'a3', 'a4'].map((name) => enter(name, 1));
    void enter('b1', 2);
    await tick();
    assert.deepEqual(passed, ['a1', 'a2', 'b1']);
    const leave = await a2;
    leave?.();
    leave?.(); // a second time it frees nothing
    await a3;
    await tick();
    assert.deepEqual(passed, ['a1', 'a2', 'b1', 'a3']);
    (await a1)?.();
    await a4;
  });

  it('refuses a request if too many of the same user are waiting, but admits those of other users', async () => {
    const gate = new TenantSemaphores<number>(1, 2);
    await gate.enter(1, forever);
    for (let index = 0; index < 2; index += 1) void gate.enter(1, forever);
    await assert.rejects(gate.enter(1, forever), { status: 429, retryAfterSeconds: 1 });
    await gate.enter(2, forever);
  });

  it('refuses at once when too many wait in all, but nobody who has no more than an equal share', async () => {
    const gate = new TenantSemaphores<number>(1, 10, 4);
    const inside = [await gate.enter(1, forever), await gate.enter(2, forever)];
    const waiting = [1, 1, 1, 1].map((userId) => gate.enter(userId, forever));
    await assert.rejects(gate.enter(1, forever), { status: 503, retryAfterSeconds: 1 });
    waiting.push(gate.enter(2, forever));
    for (const leave of inside) leave();
    await Promise.all(waiting.map(async (place) => (await place)()));
    for (let again = 0; again < 5; again += 1) (await gate.enter(1, forever))();
  });

  it('forgets requests that are aborted while they wait', async () => {
    const gate = new TenantSemaphores<number>(1, 1);
    const leave = await gate.enter(1, forever);
    const closed = new AbortController();
    const waiting = gate.enter(1, closed.signal);
    closed.abort(new Error('gone'));
    await assert.rejects(waiting, { message: 'gone' });
    const next = gate.enter(1, forever);
    leave();
    (await next)();
    (await gate.enter(1, forever))();
  });
});
