import assert from 'node:assert/strict';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { PoolConnection } from 'mysql2/promise';
import { PassClock } from '../../../../src/alerts/evaluation/pass-clock';
import { PassWindows } from '../../../../src/alerts/evaluation/pass-windows';
import type { SensorState } from '../../../../src/alerts/rules/sensor-state';
import { WindowCache } from '../../../../src/alerts/trigger-store/window-cache';
import { FairShareScheduler } from '../../../../src/fairness/fair-share-scheduler';
import type { WaitingPoint } from '../../../../src/points/inbox/inbox-batch';
import { buildTrigger } from './actors/actor-inputs';

const ANNA = 1;
const TRIGGERS = 50;
const NOW_MS = 1_700_000_000_000;
/** Each look at the clock is so much later than the one before. */
const LOOK_MS = 30;

function sensorOf(id: number): SensorState {
  const triggers = Array.from({ length: TRIGGERS }, (_, at) =>
    buildTrigger({ expression: `avg_over_time(sensor_data_value, 60) > ${id * TRIGGERS + at}` }),
  );
  const sensor = { id, name: 'hall', dataType: 'float', unit: '' };
  return { sensor, triggers, mutes: [], mayHaveWindows: true };
}

describe('the windows of a pass', () => {
  const passOf = (sensors: number) => {
    let nowMs = 0;
    const now = () => {
      nowMs += LOOK_MS;
      return nowMs;
    };
    const shares = new FairShareScheduler(now);
    const states = Array.from({ length: sensors }, (_, at) => sensorOf(at + 1));
    const point = { ownerId: ANNA, dateMs: NOW_MS, receivedMs: NOW_MS, value: '1' };
    const pointsOf = new Map(states.map(({ sensor: { id } }) => [id, [{ ...point, sensorId: id } as WaitingPoint]]));
    const statements: string[] = [];
    const query = async (sql: string) => {
      statements.push(sql);
      return [[]];
    };
    const passClock = new PassClock(shares, new Map([[ANNA, sensors]]));
    const windows = new PassWindows(
      states.map((state) => [state, ANNA]),
      pointsOf,
      {
        connection: { query } as unknown as PoolConnection, // all that is called
        passClock,
        cache: new WindowCache(),
        retentionDays: null,
        nowMs: NOW_MS,
      },
    );
    return { windows, states, statements, passClock, shares };
  };

  it('are found in the triggers of a sensor with pauses, by the time of its owner', async () => {
    const { windows, states, passClock, shares } = passOf(1);
    let pauses = 0;
    let isDone = false;
    const [state = assert.fail()] = states;
    const taking = Promise.resolve(windows.take(state)).finally(() => {
      isDone = true;
    });
    for (; !isDone; pauses += 1) await nextTick();
    await taking;
    assert.ok(pauses >= TRIGGERS, `${pauses} times in which other work ran`);
    passClock.charge({ isDone: true });
    assert.ok(shares.usedMs(ANNA) > TRIGGERS * LOOK_MS * 0.5, `${shares.usedMs(ANNA)} ms were charged`);
  });

  it('are not found for further sensors of an owner whose time is used up', async () => {
    const { windows, states, statements } = passOf(20);
    const [state = assert.fail()] = states;
    await (await windows.take(state)).readFor(NOW_MS);
    const [reading = assert.fail()] = statements;
    assert.equal(reading.match(/FROM data_points/g)?.length, 1);
  });
});
