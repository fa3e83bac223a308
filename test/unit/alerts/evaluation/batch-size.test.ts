import assert from 'node:assert/strict';
import { BatchSize } from '../../../../src/alerts/evaluation/pass-clock';

describe('the batch size of passes', () => {
  it('grows while more waits, up to 10,000 points', () => {
    const width = new BatchSize();
    const widths = Array.from({ length: 4 }, () => {
      width.learn({ isCut: false, hasMore: true });
      return width.points;
    });
    assert.deepEqual(widths, [5_000, 10_000, 10_000, 10_000]);
  });

  it('stays as it is when nothing more waits', () => {
    const width = new BatchSize();
    width.learn({ isCut: false, hasMore: false });
    assert.equal(width.points, 2_500);
    width.learn({ isCut: false, hasMore: true });
    width.learn({ isCut: false, hasMore: false });
    assert.equal(width.points, 5_000);
  });

  it('shrinks again after a pass that left points that it had read', () => {
    const width = new BatchSize();
    width.learn({ isCut: false, hasMore: true });
    width.learn({ isCut: true, hasMore: true });
    assert.equal(width.points, 2_500);
  });
});
