import assert from 'node:assert/strict';
import type { SensorState } from '../../../src/actors/sensor.actor';
import type { InboxRow } from '../../../src/ingest/inbox';
import { takeWithinBudget } from '../../../src/ingest/turn-budget';

const row = (id: number, value = '1'): InboxRow => ({ id, sensorId: 1, value, dateMs: id, receivedMs: 0, storedMs: 0 });
const rows = (count: number, value?: string) => Array.from({ length: count }, (_, index) => row(index + 1, value));
/** Sensor 1 with so many triggers; the budget looks at nothing else of them. */
const states = (triggers: number) =>
  new Map([[1, { triggers: Array.from({ length: triggers }) } as unknown as SensorState]]);

describe('what a turn can afford', () => {
  it('is all that waits of a sensor with a few triggers', () => {
    assert.equal(takeWithinBudget(rows(5_000), states(8), []).length, 5_000);
  });

  it('is less the more triggers there are, from the oldest on', () => {
    const some = takeWithinBudget(rows(5_000), states(1_000), []);
    assert.ok(some.length < 60, String(some.length));
    assert.deepEqual(some, rows(some.length));
  });

  it('is less the larger the values are', () => {
    assert.ok(takeWithinBudget(rows(200, 'x'.repeat(65_000)), states(10), []).length < 5);
  });

  it('is less the more services there are', () => {
    const feeds = Array.from({ length: 100 }, (_, serviceId) => ({ serviceId, sensorId: 1 }));
    assert.ok(takeWithinBudget(rows(5_000), states(0), feeds).length < 60);
    const others = feeds.map(({ serviceId }) => ({ serviceId, sensorId: 2 }));
    assert.equal(takeWithinBudget(rows(5_000), states(0), others).length, 5_000);
  });

  it('is always one row, so that turns come to an end', () => {
    assert.equal(takeWithinBudget(rows(2, 'x'.repeat(65_000)), states(100_000), []).length, 1);
    assert.deepEqual(takeWithinBudget([], states(1), []), []);
  });
});
