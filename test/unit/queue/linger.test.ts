import assert from 'node:assert/strict';
import { Linger } from '../../../src/queue/linger';

/** The pauses after wake-ups that follow each other, each for these commits. */
function pausesAfter(nudges: readonly { commits: number; points?: number }[]): number[] {
  const pauses = new Linger();
  return nudges.map(({ commits, points }, index) => {
    for (let commit = 0; commit < commits; commit += 1) pauses.count(points);
    return pauses.next(index + 1);
  });
}

describe('the pauses between wake-ups of turns', () => {
  it('are short after many points, and longer after few', () => {
    assert.deepEqual(pausesAfter([{ commits: 1, points: 100 }]), [10]);
    assert.deepEqual(pausesAfter([{ commits: 1, points: 99 }]), [25]);
    assert.deepEqual(pausesAfter([{ commits: 1 }, { commits: 1 }]), [10, 10]);
  });

  it('are longer where wake-ups in a row have some hundreds of points', () => {
    const few = { commits: 2, points: 299 };
    assert.deepEqual(pausesAfter([few, few, { commits: 2, points: 300 }]), [10, 25, 10]);
  });

  it('become longest while single points of many devices come in great numbers, and short once they do not', () => {
    const devices = { commits: 41, points: 30 };
    const calm = { commits: 9, points: 30 };
    assert.deepEqual(pausesAfter([{ commits: 1, points: 1 }, devices, devices, devices, calm, calm]), [
      ...[25, 50, 100, 100],
      ...[25, 25],
    ]);
  });

  it('stay short while large batches come, however many', () => {
    const batches = { commits: 20, points: 250 };
    assert.deepEqual(pausesAfter([batches, batches, batches]), [10, 10, 10]);
  });
});
