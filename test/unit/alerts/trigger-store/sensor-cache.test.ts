import assert from 'node:assert/strict';
import { SensorCache } from '../../../../src/alerts/trigger-store/sensor-cache';
import type { PassSensor } from '../../../../src/alerts/trigger-store/sensor-states';
import { buildState } from '../rules/trigger-states';

const sensor = (id: number, lastValue = '1'): PassSensor => ({
  state: {
    sensor: { id, name: 's', dataType: '' },
    mutes: [],
    triggers: [
      {
        sensorTriggerId: id,
        triggerId: 1,
        triggerName: 't',
        triggerVersion: 1,
        ownerId: 1,
        expression: '1',
        inactivity: null,
        notifyResolved: false,
        mutedUntilMs: null,
        state: buildState({ lastValue, lastDateMs: 1 }),
      },
    ],
  },
  serviceIds: [],
});

/** A pass of a partition of 64. */
const pass = (version: number, partition = 1) => ({ versions: new Map([[partition, version]]), partitionCount: 64 });

/** The cache after a pass that bumped partition 1 to `version` and knew these sensors. */
function afterPass(cache: SensorCache, version: number, ...sensors: [number, PassSensor][]): SensorCache {
  cache.keep(pass(version), new Map(sensors), []);
  return cache;
}

describe('the cache of passes', () => {
  it('is valid while this process runs every pass of the partition', () => {
    const cache = afterPass(new SensorCache(), 7, [1, sensor(1)]);
    assert.deepEqual(cache.lookUp(pass(8, 1))(1), sensor(1));
    afterPass(cache, 8, [65, sensor(65)]);
    const lookUp = cache.lookUp(pass(9, 1));
    assert.deepEqual([lookUp(1), lookUp(65)], [sensor(1), sensor(65)]);
  });

  it('is stale when another process has bumped the epoch of the partition', () => {
    const cache = afterPass(new SensorCache(), 7, [1, sensor(1)]);
    assert.equal(cache.lookUp(pass(9, 1))(1), undefined);
    afterPass(cache, 9);
    assert.equal(cache.lookUp(pass(10, 1))(1), undefined);
  });

  it('does not depend on other partitions', () => {
    const cache = afterPass(new SensorCache(), 7, [1, sensor(1)]);
    cache.lookUp(pass(100, 2));
    assert.deepEqual(cache.lookUp(pass(8, 1))(1), sensor(1));
  });

  it('survives a pass that was rolled back', () => {
    const cache = afterPass(new SensorCache(), 7, [1, sensor(1)]);
    cache.lookUp(pass(8, 1));
    assert.deepEqual(cache.lookUp(pass(8, 1))(1), sensor(1));
  });

  it('holds the states that the pass wrote', () => {
    const cache = new SensorCache();
    const written = sensor(1, '2').state?.triggers[0]?.state;
    assert.ok(written);
    const states = [{ sensorTriggerId: 1, sensorId: 1, triggerId: 1, before: written, state: written }];
    cache.keep(pass(7), new Map([[1, sensor(1)]]), [{ sensor: { id: 1 }, changes: { states } }]);
    assert.deepEqual(cache.lookUp(pass(8, 1))(1), sensor(1, '2'));
  });

  it('drops the oldest sensors when it is full', () => {
    const cache = new SensorCache(640_000);
    for (let id = 1; id <= 641; id += 64) afterPass(cache, id, [id, sensor(id, 'x'.repeat(1_000))]);
    const lookUp = cache.lookUp(pass(642, 1));
    const known = Array.from({ length: 11 }, (_, index) => 1 + index * 64).filter((id) => lookUp(id));
    assert.deepEqual(known, [513, 577, 641]);
  });
});
