import assert from 'node:assert/strict';
import { SensorMemory, type TurnSensor } from '../../../src/evaluation/sensor-memory';
import { buildState } from '../rules/trigger-states';

const sensor = (id: number, lastValue = '1'): TurnSensor => ({
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
const turn = (version: number, partition = 1) => ({ versions: new Map([[partition, version]]), partitionCount: 64 });

/** The memory after a turn that raised partition 1 to `version` and knew these sensors. */
function afterTurn(memory: SensorMemory, version: number, ...sensors: [number, TurnSensor][]): SensorMemory {
  memory.keep(turn(version), new Map(sensors), []);
  return memory;
}

describe('the memory of turns', () => {
  it('holds while each turn of the partition is one of this process', () => {
    const memory = afterTurn(new SensorMemory(), 7, [1, sensor(1)]);
    assert.deepEqual(memory.recall(turn(8, 1))(1), sensor(1));
    afterTurn(memory, 8, [65, sensor(65)]);
    const recall = memory.recall(turn(9, 1));
    assert.deepEqual([recall(1), recall(65)], [sensor(1), sensor(65)]);
  });

  it('is forgotten when anybody else has raised the version of the partition', () => {
    const memory = afterTurn(new SensorMemory(), 7, [1, sensor(1)]);
    assert.equal(memory.recall(turn(9, 1))(1), undefined);
    afterTurn(memory, 9);
    assert.equal(memory.recall(turn(10, 1))(1), undefined);
  });

  it('does not depend on other partitions', () => {
    const memory = afterTurn(new SensorMemory(), 7, [1, sensor(1)]);
    memory.recall(turn(100, 2));
    assert.deepEqual(memory.recall(turn(8, 1))(1), sensor(1));
  });

  it('survives a turn that was rolled back', () => {
    const memory = afterTurn(new SensorMemory(), 7, [1, sensor(1)]);
    memory.recall(turn(8, 1));
    assert.deepEqual(memory.recall(turn(8, 1))(1), sensor(1));
  });

  it('holds the states that the turn wrote', () => {
    const memory = new SensorMemory();
    const written = sensor(1, '2').state?.triggers[0]?.state;
    assert.ok(written);
    memory.keep(turn(7), new Map([[1, sensor(1)]]), [
      {
        sensor: { id: 1, name: 's' },
        changes: {
          states: [{ sensorTriggerId: 1, sensorId: 1, triggerId: 1, before: written, state: written }],
          firings: [],
          ends: [],
          decisions: [],
          unreported: new Map(),
        },
      },
    ]);
    assert.deepEqual(memory.recall(turn(8, 1))(1), sensor(1, '2'));
  });

  it('forgets the sensors that it has known for longest when it is full', () => {
    const memory = new SensorMemory(640_000);
    for (let id = 1; id <= 641; id += 64) afterTurn(memory, id, [id, sensor(id, 'x'.repeat(1_000))]);
    const recall = memory.recall(turn(642, 1));
    const known = Array.from({ length: 11 }, (_, index) => 1 + index * 64).filter((id) => recall(id));
    assert.deepEqual(known, [513, 577, 641]);
  });
});
