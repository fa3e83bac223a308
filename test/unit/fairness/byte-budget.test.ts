import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteBudget } from '../../../src/fairness/byte-budget';

const REFUSALS = { ofUser: () => new Error('of user'), ofAll: () => new Error('of all') };
const LIMITS = { ofUser: 60, ofAll: 100, reserve: { bytes: 20, upTo: 5 } };

describe('a budget of bytes', () => {
  it('refuses what is more than the part of a user, or than all may hold', () => {
    const budget = new ByteBudget(LIMITS, REFUSALS);
    budget.charge(1, 60);
    assert.throws(() => budget.charge(1, 1), /of user/);
    assert.throws(() => budget.charge(2, 21), /of all/);
    assert.equal(budget.hasRoom(2, 20), true);
    budget.release(1, 60);
    budget.charge(2, 60);
    assert.throws(() => budget.requireOpen(2), /of user/);
    budget.requireOpen(1);
  });

  it('keeps the last part for those who hold little', () => {
    const budget = new ByteBudget(LIMITS, REFUSALS);
    budget.charge(1, 60);
    budget.charge(2, 20);
    assert.throws(() => budget.charge(3, 6), /of all/);
    budget.charge(3, 5);
    budget.charge(4, 5);
  });

  it('is open to those who hold little, however much others hold', () => {
    const budget = new ByteBudget(LIMITS, REFUSALS);
    budget.count(1, 50);
    budget.count(2, 59);
    budget.count(3, 5);
    budget.requireOpen(3);
    budget.requireOpen(4);
    assert.throws(() => budget.requireOpen(2), /of all/);
    const withoutReserve = new ByteBudget({ ofUser: 60, ofAll: 100 }, REFUSALS);
    withoutReserve.count(1, 100);
    assert.throws(() => withoutReserve.requireOpen(2), /of all/);
  });

  it('never holds more than all may, whatever is charged and released', () => {
    const step = fc.record({ userId: fc.nat(5), bytes: fc.nat(70), isRelease: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const budget = new ByteBudget(LIMITS, REFUSALS);
        const held: { userId: number; bytes: number }[] = [];
        for (const { userId, bytes, isRelease } of steps) {
          const last = isRelease ? held.pop() : undefined;
          if (last) budget.release(last.userId, last.bytes);
          else if (budget.hasRoom(userId, bytes)) {
            budget.charge(userId, bytes);
            held.push({ userId, bytes });
          } else assert.throws(() => budget.charge(userId, bytes));
          assert.ok(held.reduce((sum, one) => sum + one.bytes, 0) <= LIMITS.ofAll);
        }
        for (const one of held) budget.release(one.userId, one.bytes);
        budget.charge(9, 60);
      }),
    );
  });
});
