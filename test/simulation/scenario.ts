import { dueBucketOf } from '../../src/storage/due-buckets';
import type { SimulatedDatabase } from './database/simulated-database';
import type { Value } from './database/sql-syntax';
import type { LateNotification, Link, Rule, Selection } from './history';
import type { Random } from './random';
import { addressOf, BEHAVIOURS } from './receivers';
import { buildClient, type ClientPlan } from './upload-plans';

export const OWNER_ID = 7;
/** The metatag of the sensors that the selector connects. */
export const SELECTED_KIND = 'cold';
/** The trigger with the selector. */
export const SELECTING_ID = 4;
export const NOTIFICATION_TEXT = 'value $sensor_data_value after $times_triggered';
export const RESOLVED_TEXT = 'over after $sensor_data_value';

export interface Scenario {
  links: Link[];
  selection: Selection | null;
  firingListeners: number;
  clients: ClientPlan[];
}

const ALMOST_ALWAYS: Pick<Rule, 'expression' | 'holds'> = {
  expression: 'sensor_data_value >= 0',
  holds: (value) => Number(value) >= 0,
};
const EXPRESSIONS: readonly Pick<Rule, 'expression' | 'holds'>[] = [
  ALMOST_ALWAYS,
  { expression: 'sensor_data_value > 50', holds: (value) => Number(value) > 50 },
  {
    expression: 'sensor_data_value > last_sensor_data_value',
    holds: (value, previous) => (previous === null ? undefined : Number(value) > Number(previous)),
  },
  { expression: 'sensor_data_value.lux > 1', holds: () => undefined },
  // The metatag changes, so its cached value becomes stale; no sensor is of this kind.
  {
    expression: 'sensor_data_value > label("limit", 50) or label("kind", "none") == "oven"',
    holds: (value) => Number(value) > 50,
  },
];

/** Creates random sensors, triggers, notifications and clients, with their rows. */
export function buildScenario(random: Random, database: SimulatedDatabase, nowMs: number): Scenario {
  const add = (table: string, row: Record<string, Value>) => addRow(database, table, row, nowMs);
  add('users', {
    id: OWNER_ID,
    uuid: '',
    username: 'ada',
    username_key: 'ada',
    username_looks: 'ada',
    // Without an address there are no mails about failing notifications, which are not simulated.
    email: '',
    password_hash: '',
    created_ms: nowMs,
  });
  add('heartbeats', { id: 1, accepting_until_ms: nowMs });
  const notificationIds = BEHAVIOURS.filter((behaviour) => random.chance(behaviour === 'broken' ? 0.15 : 0.5)).map(
    (behaviour, index) => {
      const destination = addressOf(behaviour);
      const row = {
        owner_id: OWNER_ID,
        type: 'url',
        text: NOTIFICATION_TEXT,
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
        ...chooseNotifications(random, notificationIds),
        sinceMs: nowMs,
        mutedUntilMs: random.chance(0.2) ? nowMs + random.between(30_000, 200_000) : null,
      };
      links.push(link);
      connect(link, add, nowMs);
    }
    clients.push(buildClient(random, sensorId));
  }
  const selection = random.chance(0.6) ? select(random, notificationIds, add, nowMs) : null;
  const firingListeners = listen(random, notificationIds, add, nowMs);
  return { links, selection, firingListeners, clients };
}

/** Some of the notifications get firings at once, some later, and some none. */
function chooseNotifications(
  random: Random,
  notificationIds: readonly number[],
): Pick<Link, 'notificationIds' | 'late'> {
  const chosen: Pick<Link, 'notificationIds' | 'late'> = { notificationIds: [], late: [] };
  for (const id of notificationIds) {
    const when = random.pick(['at once', 'at once', 'later', 'never'] as const);
    if (when === 'at once') chosen.notificationIds.push(id);
    if (when === 'later') chosen.late.push({ id, afterS: random.between(1, 120) });
  }
  return chosen;
}

function allOf({ notificationIds, late }: Pick<Link, 'notificationIds' | 'late'>): LateNotification[] {
  return [...notificationIds.map((id) => ({ id, afterS: 0 })), ...late];
}

export type Add = (table: string, row: Record<string, Value>) => void;

/** Creates a rule that is connected to all sensors with a metatag. No sensor has it yet. */
function select(random: Random, notificationIds: readonly number[], add: Add, nowMs: number): Selection {
  // It fires for most points at once, so that its episodes are open when sensors no longer match.
  const often = { ...ALMOST_ALWAYS, hold: 0, notifyResolved: random.chance(0.8) };
  const rule = { ...buildRule(random, SELECTING_ID, { isInactive: false }), ...often };
  const filter = { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value: SELECTED_KIND }]] };
  const selector = JSON.stringify({ filter, namespace: 'default' });
  addRule(rule, add, nowMs, { selector });
  add('selector_owners', { owner_id: OWNER_ID, version: 'new', watched: 1 });
  const chosen = chooseNotifications(random, notificationIds);
  for (const { id, afterS } of allOf(chosen)) {
    add('trigger_notifications', { trigger_id: rule.triggerId, notification_id: id, after_s: afterS });
  }
  return { rule, ...chosen };
}

function buildRules(random: Random, add: Add, nowMs: number): Rule[] {
  return Array.from({ length: 3 }, (_, index) => {
    const rule = buildRule(random, index + 1, { isInactive: random.chance(0.25) });
    addRule(rule, add, nowMs);
    return rule;
  });
}

/** A random rule on points, on inactivity, or on both. */
function buildRule(random: Random, triggerId: number, { isInactive }: { isInactive: boolean }): Rule {
  const { expression, holds } = random.pick(EXPRESSIONS);
  const watches = isInactive || (triggerId !== SELECTING_ID && random.chance(0.33));
  return {
    triggerId,
    expression: isInactive ? null : expression,
    inactivity: watches ? random.between(60, 90) : null,
    hold: random.chance(0.3) ? random.between(1, 100) : 0,
    repeat: random.chance(0.5) ? null : random.pick([0, 60, 80]),
    notifyResolved: random.chance(0.35),
    keepFiringFor: random.chance(0.3) ? random.between(1, 40) : 0,
    holds,
  };
}

function addRule(rule: Rule, add: Add, nowMs: number, more: Record<string, Value> = {}): void {
  const { triggerId, expression, inactivity, hold, repeat, notifyResolved, keepFiringFor } = rule;
  add('triggers', {
    id: triggerId,
    owner_id: OWNER_ID,
    name: `rule ${triggerId}`,
    created_ms: nowMs,
    expression,
    inactivity,
    hold,
    keep_firing_for: keepFiringFor,
    repeat_after: repeat,
    notify_resolved: notifyResolved ? 1 : 0,
    resolved_text: RESOLVED_TEXT,
    ...more,
  });
}

function connect(
  { sensorTriggerId, sensorId, rule, notificationIds, late, mutedUntilMs }: Link,
  add: Add,
  nowMs: number,
): void {
  add('sensor_triggers', {
    id: sensorTriggerId,
    sensor_id: sensorId,
    due_bucket: dueBucketOf(sensorId),
    trigger_id: rule.triggerId,
    created_ms: nowMs,
    muted_until_ms: mutedUntilMs,
    inactive_since_ms: rule.inactivity === null ? null : nowMs,
    due_at_ms: rule.inactivity === null ? null : nowMs + rule.inactivity * 1000,
  });
  for (const { id, afterS } of allOf({ notificationIds, late })) {
    const row = { sensor_trigger_id: sensorTriggerId, notification_id: id, after_s: afterS };
    add('sensor_trigger_notifications', row);
  }
}

/** Creates event notifications; returns the number of those for firings. */
function listen(random: Random, notificationIds: readonly number[], add: Add, nowMs: number): number {
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

export function addRow(database: SimulatedDatabase, table: string, row: Record<string, Value>, nowMs: number): void {
  const transaction = database.begin('scenario', nowMs);
  const columns = Object.keys(row);
  database.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`, [[Object.values(row)]], transaction);
  database.commit(transaction, nowMs);
}
