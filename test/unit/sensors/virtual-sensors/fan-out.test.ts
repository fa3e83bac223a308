import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Feed, mostComputations } from '../../../../src/sensors/virtual-sensors/fan-out';

describe('the number of computations that a point causes', () => {
  /** Follows every path. */
  const follow = (feeds: readonly Feed[], id: number): number =>
    feeds.reduce((sum, { sensorId, serviceId }) => sum + (sensorId === id ? 1 + follow(feeds, serviceId) : 0), 0);
  const byFollowing = (feeds: readonly Feed[]) => Math.max(0, ...feeds.map(({ sensorId }) => follow(feeds, sensorId)));

  const smallGraph = fc
    .uniqueArray(fc.tuple(fc.nat(7), fc.nat(7)), { selector: String, maxLength: 28 })
    .map((pairs) => pairs.filter(([a, b]) => a < b).map(([a, b]) => ({ sensorId: a, serviceId: b })));
  const layers = (depth: number, width: number): Feed[] =>
    Array.from({ length: depth }, (_, layer) =>
      Array.from({ length: width * width }, (_, at) => ({
        sensorId: layer * width + (at % width),
        serviceId: (layer + 1) * width + Math.floor(at / width),
      })),
    ).flat();

  it('is the number of all paths, whatever the order of the feeds', () => {
    fc.assert(
      fc.property(
        smallGraph.chain((feeds) => fc.shuffledSubarray(feeds, { minLength: feeds.length })),
        (feeds) => {
          assert.equal(mostComputations(feeds, 1_000_000), byFollowing(feeds));
        },
      ),
    );
  });

  it('is, for given services, the number of paths to them through any others', () => {
    const ways = (feeds: readonly Feed[], id: number): number =>
      feeds.reduce(
        (sum, { sensorId, serviceId }) => sum + (sensorId === id ? (serviceId % 2) + ways(feeds, serviceId) : 0),
        0,
      );
    fc.assert(
      fc.property(smallGraph, (feeds) => {
        const expected = Math.max(0, ...feeds.map(({ sensorId }) => ways(feeds, sensorId)));
        assert.equal(
          mostComputations(feeds, 1_000_000, (id) => id % 2 === 1),
          expected,
        );
      }),
    );
  });

  it('never exceeds the ceiling', () => {
    fc.assert(
      fc.property(smallGraph, fc.integer({ min: 1, max: 20 }), (feeds, ceiling) => {
        assert.equal(mostComputations(feeds, ceiling), Math.min(ceiling, byFollowing(feeds)));
      }),
    );
  });

  it('is computed for too many paths to follow and for a long chain', () => {
    assert.equal(mostComputations(layers(3, 10), 10_000), 1_110);
    assert.equal(mostComputations(layers(50, 10), 1_001), 1_001);
    assert.equal(mostComputations(layers(20_000, 1), 100_000), 20_000);
  });

  it('is the ceiling when the paths never end', () => {
    const circle = [
      { sensorId: 1, serviceId: 2 },
      { sensorId: 2, serviceId: 3 },
      { sensorId: 3, serviceId: 2 },
    ];
    assert.equal(mostComputations(circle, 1_001), 1_001);
    assert.equal(mostComputations([], 1_001), 0);
  });
});
