import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exceedsFairShare, FairQueue, type Queued } from '../../../src/fairness/fair-queue';

interface Request extends Queued<number> {
  name: string;
}
const request = (tenant: number, size: number, name = ''): Request => ({ tenant, size, weight: size, name });
const LIMITS = { perTenant: 2_000, sizePerTenant: 50_000, weight: 1_000_000 };
const build = (limits = LIMITS) => new FairQueue<number, Request>(limits);
const names = (requests: readonly Request[]) => requests.map(({ name }) => name).join(' ');

describe('the fair queue', () => {
  it('serves a tenant with one request soon, however many another one sends', () => {
    const queue = build();
    for (let index = 0; index < 50; index += 1) queue.add(request(1, 1_000, `a${index}`));
    queue.add(request(2, 1, 'b'));
    assert.equal(names(queue.take(1_001)), 'b a0');
  });

  it('admits a tenant up to an equal share, which counts as within', () => {
    const load = { ofAll: 100, ofTenant: 4, tenants: 2 };
    assert.equal(exceedsFairShare(load, 1, 10), false);
    assert.equal(exceedsFairShare(load, 2, 10), true);
  });

  it('shares by size: a small request is next, whichever large ones wait', () => {
    const queue = build();
    for (const tenant of [1, 2, 3]) for (const part of [1, 2]) queue.add(request(tenant, 500, `${tenant}.${part}`));
    assert.equal(names(queue.take(1_000)), '1.1 2.1');
    for (const part of [1, 2, 3]) queue.add(request(4, 1, `4.${part}`));
    assert.equal(names(queue.take(503)), '3.1 4.1 4.2 4.3');
    assert.equal(names(queue.take(1_500)), '1.2 2.2 3.2');
  });

  it('gives a tenant who could not be served no claim to what the others got meanwhile', () => {
    const queue = build();
    for (const tenant of [1, 2]) for (const part of [1, 2, 3, 4]) queue.add(request(tenant, 1, `${tenant}.${part}`));
    assert.equal(names(queue.take(3, (tenant) => tenant === 2)), '2.1 2.2 2.3');
    assert.equal(names(queue.take(3)), '1.1 2.4 1.2');
    assert.equal(names(queue.take(1, () => false)), '');
  });

  it('refuses a request if too much of its tenant waits, but not a large one alone', () => {
    const queue = build({ ...LIMITS, weight: Number.POSITIVE_INFINITY });
    assert.equal(queue.add(request(1, 1_000_000)), 'taken');
    assert.equal(queue.add(request(1, 1)), 'too-many');
    assert.equal(queue.add(request(2, 1)), 'taken');
    assert.equal(queue.take(2_000_000).length, 2);
    for (let count = 0; count < 2_000; count += 1) assert.equal(queue.add(request(1, 1)), 'taken');
    assert.equal(queue.add(request(1, 1)), 'too-many');
  });

  it('refuses requests beyond the limit of all, but not those of a tenant with at most an equal share of it', () => {
    const queue = build({ ...LIMITS, weight: 64 });
    for (const tenant of [1, 2, 3]) for (let part = 0; part < 4; part += 1) queue.add(request(tenant, 5));
    assert.equal(queue.add(request(1, 5)), 'full', '65, 25 of them of one of three');
    assert.equal(queue.add(request(4, 5)), 'taken', 'a fourth has 16');
    assert.equal(queue.add(request(4, 12)), 'full');
    queue.take(100);
    assert.equal(queue.add(request(1, 5)), 'taken');
  });

  it('holds little for thousands of tenants whose requests were taken', () => {
    const queue = build();
    for (let tenant = 1; tenant <= 50_000; tenant += 1) {
      queue.add(request(tenant, 1));
      assert.equal(queue.take(1).length, 1);
    }
    const lines: ReadonlyMap<number, unknown> = Reflect.get(queue, 'lines');
    assert.ok(lines.size <= 1_000, `${lines.size} tenants`);
    for (const tenant of [1, 50_000]) assert.equal(queue.add(request(tenant, 1)), 'taken');
    assert.equal(queue.take(10).length, 2);
  });

  it('returns every request once, and those of a tenant in order, unless they were removed', () => {
    const requests = fc.array(
      fc.record({ tenant: fc.nat({ max: 3 }), size: fc.integer({ min: 1, max: 99 }), isRemoved: fc.boolean() }),
    );
    fc.assert(
      fc.property(requests, fc.array(fc.integer({ min: 1, max: 300 })), (given, takes) => {
        const queue = build();
        const added = given.map((each, index) => ({ ...each, weight: 1, name: String(index) }));
        for (const one of added) assert.equal(queue.add(one), 'taken');
        const kept = added.filter(({ isRemoved }) => !isRemoved);
        for (const one of added) if (one.isRemoved) queue.remove(one);
        const taken = [...takes, ...given.map(() => 1_000)].flatMap((size) => queue.take(size));
        assert.deepEqual([taken.length, queue.size], [kept.length, 0]);
        for (const tenant of [0, 1, 2, 3]) {
          const of = (all: readonly Request[]) => names(all.filter((each) => each.tenant === tenant));
          assert.equal(of(taken), of(kept));
        }
      }),
    );
  });
});
