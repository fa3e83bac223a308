import assert from 'node:assert/strict';
import { firstStep } from '../../../../src/alerts/firings/end-most';

describe('the episodes that one transaction ends', () => {
  const lasting = (count: number, deliveries: number) => Array.from({ length: count }, () => ({ deliveries }));

  it('are 200 where nobody is notified, and fewer where each of them has deliveries', () => {
    assert.equal(firstStep(lasting(201, 0)).length, 200);
    assert.equal(firstStep(lasting(201, 20)).length, 95);
    assert.equal(firstStep(lasting(201, 80)).length, 24);
  });

  it('are one at least', () => {
    assert.equal(firstStep(lasting(2, 5_000)).length, 1);
    assert.equal(firstStep([]).length, 0);
  });
});
