import assert from 'node:assert/strict';
import { type PassSensor, SensorCache } from '../../../src/trigger-store/sensor-cache';
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

/** A turn of a partition of 64. */
const pass = (version: number, partition = 1) => ({ versions: new Map([[partition, version]]), partitionCount: 64 });

/** The memory after a turn that raised partition 1 to `version` and knew these sensors. */
function afterPass(memory: SensorCache, version: number, ...sensors: [number, PassSensor][]): SensorCache {
  memory.keep(pass(version), new Map(sensors), []);
  return memory;
}

describe('the memory of turns', () => {
  it('holds while each turn of the partition is one of this process', () => {
    const memory = afterPass(new SensorCache(), 7, [1, sensor(1)]);
    assert.deepEqual(memory.lookUp(pass(8, 1))(1), sensor(1));
    afterPass(memory, 8, [65, sensor(65)]);
    const lookUp = memory.lookUp(pass(9, 1));
    assert.deepEqual([lookUp(1), lookUp(65)], [sensor(1), sensor(65)]);
  });

  it('is forgotten when anybody else has raised the version of the partition', () => {
    const memory = afterPass(new SensorCache(), 7, [1, sensor(1)]);
    assert.equal(memory.lookUp(pass(9, 1))(1), undefined);
    afterPass(memory, 9);
    assert.equal(memory.lookUp(pass(10, 1))(1), undefined);
  });

  it('does not depend on other partitions', () => {
    const memory = afterPass(new SensorCache(), 7, [1, sensor(1)]);
    memory.lookUp(pass(100, 2));
    assert.deepEqual(memory.lookUp(pass(8, 1))(1), sensor(1));
  });

  it('survives a turn that was rolled back', () => {
    const memory = afterPass(new SensorCache(), 7, [1, sensor(1)]);
    memory.lookUp(pass(8, 1));
    assert.deepEqual(memory.lookUp(pass(8, 1))(1), sensor(1));
  });

  it('holds the states that the turn wrote', () => {
    const memory = new SensorCache();
    const written = sensor(1, '2').state?.triggers[0]?.state;
    assert.ok(written);
    const states = [{ sensorTriggerId: 1, sensorId: 1, triggerId: 1, before: written, state: written }];
    memory.keep(pass(7), new Map([[1, sensor(1)]]), [{ sensor: { id: 1 }, changes: { states } }]);
    assert.deepEqual(memory.lookUp(pass(8, 1))(1), sensor(1, '2'));
  });

  it('forgets the sensors that it has known for longest when it is full', () => {
    const memory = new SensorCache(640_000);
    for (let id = 1; id <= 641; id += 64) afterPass(memory, id, [id, sensor(id, 'x'.repeat(1_000))]);
    const lookUp = memory.lookUp(pass(642, 1));
    const known = Array.from({ length: 11 }, (_, index) => 1 + index * 64).filter((id) => lookUp(id));
    assert.deepEqual(known, [513, 577, 641]);
  });
});
