import type { UploadedPoint } from '../../src/rules/data-point';
import { dueBucketOf } from '../../src/storage/due-buckets';
import type { SimulatedDatabase } from './database/simulated-database';
import type { Value } from './database/sql-syntax';
import type { Link, Rule } from './history';
import type { Random } from './random';
import { addressOf, BEHAVIOURS } from './receivers';

export const OWNER_ID = 7;
const HOUR_MS = 3_600_000;

/** The uploads of the client of one sensor, each after a wait. */
export interface ClientPlan {
  sensorId: number;
  /** Whether it waits for the response to an upload before the next. */
  isPatient: boolean;
  uploads: { waitMs: number; points: { value: string; aheadMs: number | undefined }[] }[];
}

export interface Scenario {
  links: Link[];
  firingListeners: number;
  clients: ClientPlan[];
}

const EXPRESSIONS: readonly Pick<Rule, 'expression' | 'holds'>[] = [
  { expression: 'sensor_data_value >= 0', holds: (value) => Number(value) >= 0 },
  { expression: 'sensor_data_value > 50', holds: (value) => Number(value) > 50 },
  {
    expression: 'sensor_data_value > last_sensor_data_value',
    holds: (value, previous) => (previous === null ? undefined : Number(value) > Number(previous)),
  },
  { expression: 'sensor_data_value.lux > 1', holds: () => undefined },
];

/** Creates random sensors, triggers, notifications and clients, with their rows. */
export function buildScenario(random: Random, database: SimulatedDatabase, nowMs: number): Scenario {
  const add = (table: string, row: Record<string, Value>) => addRow(database, table, row, nowMs);
  add('users', {
    id: OWNER_ID,
    uuid: '',
    username: 'ada',
    username_key: 'ada',
    email: 'ada@good.test',
    password_hash: '',
    created_ms: nowMs,
  });
  add('heartbeats', { id: 1, accepting_until_ms: nowMs });
  const notificationIds = BEHAVIOURS.filter((behaviour) => random.chance(behaviour === 'broken' ? 0.15 : 0.5)).map(
    (behaviour, index) => {
      const destination = addressOf(behaviour);
      const text = 'value $sensor_data_value';
      const row = {
        owner_id: OWNER_ID,
        type: 'url',
        text,
        destination,
        signing_secret: 'whsec_c2VjcmV0',
        created_ms: nowMs,
      };
      add('notifications', { id: index + 1, ...row });
      return index + 1;
    },
  );
  const rules = buildRules(random, add, nowMs);
  const links: Link[] = [];
  const clients: ClientPlan[] = [];
  for (let sensorId = 1; sensorId <= random.between(1, 4); sensorId += 1) {
    const data = { data_type: 'float', data_structure: '', use_data_storage: 1 };
    add('sensors', { id: sensorId, owner_id: OWNER_ID, name: `sensor ${sensorId}`, ...data, created_ms: nowMs });
    const chosen = rules.filter(() => random.chance(0.5));
    for (const rule of chosen.length > 0 ? chosen : rules.slice(0, 1)) {
      const link: Link = {
        sensorTriggerId: links.length + 1,
        sensorId,
        rule,
        notificationIds: notificationIds.filter(() => random.chance(0.5)),
        sinceMs: nowMs,
        mutedUntilMs: random.chance(0.2) ? nowMs + random.between(30_000, 200_000) : null,
      };
      links.push(link);
      connect(link, add, nowMs);
    }
    clients.push(buildClient(random, sensorId));
  }
  const firingListeners = listen(random, notificationIds, add, nowMs);
  return { links, firingListeners, clients };
}

function buildRules(random: Random, add: (table: string, row: Record<string, Value>) => void, nowMs: number): Rule[] {
  return Array.from({ length: 3 }, (_, index) => {
    const { expression, holds } = random.pick(EXPRESSIONS);
    const inactivity = random.chance(0.5) ? random.between(60, 90) : null;
    const isInactive = inactivity !== null && random.chance(0.5);
    const hold = random.chance(0.3) ? random.between(1, 100) : 0;
    const repeat = random.chance(0.5) ? null : random.pick([0, 60, 80]);
    const notifyResolved = random.chance(0.35);
    const keepFiringFor = random.chance(0.3) ? random.between(1, 40) : 0;
    const rule = { triggerId: index + 1, expression: isInactive ? null : expression, inactivity, holds };
    const row = { id: rule.triggerId, owner_id: OWNER_ID, name: `rule ${rule.triggerId}`, created_ms: nowMs };
    const alert = {
      hold,
      keep_firing_for: keepFiringFor,
      repeat_after: repeat,
      notify_resolved: notifyResolved ? 1 : 0,
    };
    add('triggers', { ...row, expression: rule.expression, inactivity, ...alert });
    return { ...rule, hold, repeat, keepFiringFor, notifyResolved };
  });
}

function connect(
  { sensorTriggerId, sensorId, rule, notificationIds, mutedUntilMs }: Link,
  add: (table: string, row: Record<string, Value>) => void,
  nowMs: number,
): void {
  add('sensor_triggers', {
    id: sensorTriggerId,
    sensor_id: sensorId,
    due_slot: dueBucketOf(sensorId),
    trigger_id: rule.triggerId,
    created_ms: nowMs,
    muted_until_ms: mutedUntilMs,
    inactive_since_ms: rule.inactivity === null ? null : nowMs,
    due_at_ms: rule.inactivity === null ? null : nowMs + rule.inactivity * 1000,
  });
  for (const notificationId of notificationIds) {
    add('sensor_trigger_notifications', { sensor_trigger_id: sensorTriggerId, notification_id: notificationId });
  }
}

/** Creates event notifications; returns the number of those for firings. */
function listen(
  random: Random,
  notificationIds: readonly number[],
  add: (table: string, row: Record<string, Value>) => void,
  nowMs: number,
): number {
  let firingListeners = 0;
  for (const event of ['fire_trigger', 'fire_trigger', 'delivery_failed', 'add_sensor_data']) {
    if (notificationIds.length === 0 || !random.chance(0.4)) continue;
    const notificationId = random.pick(notificationIds);
    add('event_notifications', {
      owner_id: OWNER_ID,
      event,
      notification_id: notificationId,
      priority: random.between(0, 2),
      created_ms: nowMs,
    });
    if (event === 'fire_trigger') firingListeners += 1;
  }
  return firingListeners;
}

function buildClient(random: Random, sensorId: number): ClientPlan {
  const uploads = Array.from({ length: random.between(0, 7) }, (_, upload) => {
    const isUndated = random.chance(0.4);
    return {
      waitMs: random.chance(0.5) ? random.between(0, 3_000) : random.between(20_000, 100_000),
      points: Array.from({ length: random.between(1, 3) }, (_, at) => {
        const value = random.between(-20, 100);
        return isUndated
          ? { value: undatedValue(value, upload * 10 + at), aheadMs: undefined }
          : { value: String(value), aheadMs: aheadOf(random) };
      }),
    };
  });
  return { sensorId, isPatient: random.chance(0.5), uploads };
}

/** A value of a point without a date: only these have a fraction, and each of a sensor has another one. */
function undatedValue(value: number, serial: number): string {
  return `${value}.${String(serial).padStart(3, '0')}5`;
}

export function isUndated(value: string): boolean {
  return value.includes('.');
}

/** The lead of a point's date over its upload: mostly slightly negative, sometimes late or far ahead. */
function aheadOf(random: Random): number {
  if (random.chance(0.1)) return -random.between(1_000, 200_000);
  return random.chance(0.05) ? random.between(HOUR_MS - 10_000, HOUR_MS + 100_000) : -random.between(0, 900);
}

/** The points of an upload at this moment, with unique dates per sensor. */
export function datedPoints(
  points: ClientPlan['uploads'][number]['points'],
  nowMs: number,
  taken: Set<number>,
): UploadedPoint[] {
  return points.map(({ value, aheadMs }) => {
    if (aheadMs === undefined) return { value, dateMs: undefined };
    let dateMs = nowMs + aheadMs;
    while (taken.has(dateMs)) dateMs += 1;
    taken.add(dateMs);
    return { value, dateMs };
  });
}

function addRow(database: SimulatedDatabase, table: string, row: Record<string, Value>, nowMs: number): void {
  const transaction = database.begin('scenario', nowMs);
  const columns = Object.keys(row);
  database.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`, [[Object.values(row)]], transaction);
  database.commit(transaction, nowMs);
}
