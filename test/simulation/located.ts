import { dueBucketOf } from '../../src/storage/due-buckets';
import type { Commit, SimulatedDatabase } from './database/simulated-database';
import type { Link, Rule } from './history';
import type { Random } from './random';
import { type Add, addRow, OWNER_ID } from './scenario';
import { buildClient, type ClientPlan } from './upload-plans';
import type { World } from './world';

/** The rule that reads the gate. */
export const LOCATED_ID = 20;
const SENSOR_IDS = [21, 22];
const FIRST_PAIR_ID = 2_000;
const HOUSE_ID = 1;
/** The zone that moves: it contains the place of the sensors, or does not. */
const GATE_ID = 2;
const HERE = '0 0,0 2,2 2,2 0';
const AWAY = '10 10,10 12,12 12,12 10';

/** Sensors at one place, whose rule reads whether the gate is there. */
export interface Located {
  links: Link[];
  clients: ClientPlan[];
}

/** Whether the gate is at the place of the sensors, as the commits say. */
export class Gate {
  isHere = true;

  follow({ changes }: Commit): void {
    for (const { table, after } of changes) {
      if (table === 'environments' && after?.id === GATE_ID) this.isHere = after.gps_outline === HERE;
    }
  }
}

export function buildLocated(random: Random, database: SimulatedDatabase, nowMs: number): Located {
  const add: Add = (table, row) => addRow(database, table, row, nowMs);
  const environment = { owner_id: OWNER_ID, position: '', created_ms: nowMs };
  add('environments', { id: HOUSE_ID, name: 'house', gps_outline: '', ...environment });
  add('environments', { id: GATE_ID, name: 'gate', gps_outline: HERE, ...environment });
  const rule = buildRule(random);
  const { triggerId, expression, hold, keepFiringFor, repeat } = rule;
  const durations = { hold, keep_firing_for: keepFiringFor, repeat_after: repeat };
  add('triggers', { id: triggerId, owner_id: OWNER_ID, name: 'located', created_ms: nowMs, expression, ...durations });
  const links = SENSOR_IDS.map((sensorId, index): Link => {
    const data = { data_type: 'float', data_structure: '', use_data_storage: 1 };
    add('sensors', { id: sensorId, owner_id: OWNER_ID, name: `sensor ${sensorId}`, ...data, created_ms: nowMs });
    const place = { environment_id: HOUSE_ID, position: '1 1' };
    add('environment_sensors', { owner_id: OWNER_ID, sensor_id: sensorId, ...place });
    const sensorTriggerId = FIRST_PAIR_ID + index;
    const pair = { id: sensorTriggerId, sensor_id: sensorId, trigger_id: triggerId, created_ms: nowMs };
    const inactivity = { inactive_since_ms: null, due_at_ms: null, muted_until_ms: null };
    add('sensor_triggers', { ...pair, due_bucket: dueBucketOf(sensorId), ...inactivity });
    const unheard = { notificationIds: [], late: [], mutedUntilMs: null };
    return { sensorTriggerId, sensorId, rule, sinceMs: nowMs, ...unheard };
  });
  return { links, clients: SENSOR_IDS.flatMap((id) => [buildClient(random, id), buildClient(random, id)]) };
}

function buildRule(random: Random): Rule {
  return {
    triggerId: LOCATED_ID,
    expression: 'sensor_data_value > 20 and in_zone("gate")',
    inactivity: null,
    hold: random.chance(0.3) ? random.between(1, 30) : 0,
    repeat: random.pick([null, 0, 60]),
    notifyResolved: false,
    keepFiringFor: random.chance(0.3) ? random.between(1, 30) : 0,
    holds: (value, _previous, isGateHere) => Number(value) > 20 && isGateHere,
  };
}

/** The owner moves the gate now and then; an edit that fails is not repeated. */
export async function runSurveyor(world: World, untilMs: number): Promise<void> {
  for (;;) {
    await world.scheduler.sleep(world.random.between(100, 15_000));
    const apis = world.alive('api');
    if (world.nowMs > untilMs) return;
    if (apis.length === 0) continue;
    const outline = world.random.pick([HERE, AWAY]);
    await world.random
      .pick(apis)
      .moveZone(GATE_ID, outline)
      .catch(() => undefined);
  }
}
