import assert from 'node:assert/strict';
import type { SensorState } from '../../../../src/alerts/rules/sensor-state';
import { addZones } from '../../../../src/alerts/trigger-store/owner-zones';
import type { RunSql } from '../../../../src/storage/transaction';

const OUTLINE = '0 0,0 1,1 1,1 0';

describe('the zones that a pass reads', () => {
  it('are charged to their owners, once for all of their sensors', async () => {
    const rows = [1, 2].flatMap((ownerId) =>
      ['yard', 'port'].map((name, at) => ({ id: at, ownerId, parentId: null, name, outline: OUTLINE.repeat(ownerId) })),
    );
    const run: RunSql = async (sql) => (/gps_outline AS outline/.test(sql) ? rows : []);
    const stateOf = (id: number, ownerId: number) =>
      ({ sensor: { id }, triggers: [{ ownerId }] }) as unknown as SensorState; // all that is read of it
    const states = [stateOf(5, 1), stateOf(6, 1), stateOf(7, 2)];
    const charged: [number, number][] = [];
    await addZones(run, states, (ownerId, bytes) => charged.push([ownerId, bytes]));
    assert.deepEqual(charged, [
      [1, 2 * OUTLINE.length],
      [2, 4 * OUTLINE.length],
    ]);
    assert.equal(states[0]?.sensor.zones?.index, states[1]?.sensor.zones?.index);
    await addZones(run, [], () => assert.fail());
  });
});
