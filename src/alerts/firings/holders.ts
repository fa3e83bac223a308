import { muteEndMs } from '../../edge/mute';
import type { DependentEpisode } from '../../notifications';
import { readMutes } from '../../storage/mutes';
import type { RunSql } from '../../storage/transaction';

/** What asks for its holder. The result is by `key`. */
export interface Dependent extends Pick<DependentEpisode, 'sensorId' | 'parentId' | 'label'> {
  key: number;
  ownerId: number;
}

/** An open episode that holds deliveries of others. */
export interface Holder {
  firingId: number;
  triggerId: number;
  triggerName: string;
  sensorId: number;
  sinceMs: number;
  /** Recorded as one that holds others. */
  isMarked: boolean;
}

interface Open extends Holder {
  ownerId: number;
  /** The first value of the metatag; absent where the sensor counts. */
  label?: { name: string; valueKey: string };
  mutedUntilMs: number | null;
}

/** The oldest open episode, not muted, of the trigger that each one depends on: on its sensor, or on one with its label. */
export async function findHolders(
  run: RunSql,
  dependents: readonly Dependent[],
  nowMs: number,
): Promise<ReadonlyMap<number, Holder>> {
  const sameSensor = dependents.filter(({ label }) => label === null);
  const labelled = dependents.filter(({ label }) => label !== null);
  const keys = await readValueKeys(run, labelled);
  const open = [
    ...(await readOpen(run, sameSensor, { ...ON_SENSORS, values: [sameSensor.map(({ sensorId }) => sensorId)] })),
    ...(await readOpen(run, labelled, { ...WITH_LABELS, values: [namesOf(labelled), [...keys.values()]] })),
  ];
  const holders = new Map<string, Holder>();
  for (const holder of await withoutMuted(run, open, nowMs)) {
    const { ownerId, triggerId, sensorId, label } = holder;
    const place = JSON.stringify([ownerId, triggerId, ...(label ? [label.name, label.valueKey] : [sensorId])]);
    if (!holders.has(place)) holders.set(place, holder);
  }
  return new Map(
    dependents.flatMap(({ key, ownerId, parentId, sensorId, label }) => {
      const place = label === null ? [sensorId] : [label, keys.get(`${sensorId} ${label}`)];
      const holder = holders.get(JSON.stringify([ownerId, parentId, ...place]));
      return holder ? [[key, holder] as const] : [];
    }),
  );
}

const ON_SENSORS = { columns: '', join: '', where: 'p.sensor_id IN (?)' };
const WITH_LABELS = {
  columns: ', m.name AS label, m.value_key AS valueKey',
  join: "JOIN metatags m ON m.sensor_id = p.sensor_id AND m.namespace = 'default' AND m.position = 0",
  where: 'm.name IN (?) AND m.value_key IN (?)',
};

/** Open episodes of the triggers that these depend on, oldest first. */
async function readOpen(
  run: RunSql,
  dependents: readonly Dependent[],
  { columns, join, where, values }: typeof ON_SENSORS & { values: readonly (readonly unknown[])[] },
): Promise<Open[]> {
  if (values.some(({ length }) => length === 0)) return [];
  const rows = await run(
    `SELECT f.id, t.owner_id AS ownerId, p.trigger_id AS triggerId, t.name, p.sensor_id AS sensorId,
       f.fired_ms AS firedMs, f.holds, p.muted_until_ms AS mutedUntilMs${columns}
     FROM sensor_triggers p JOIN triggers t ON t.id = p.trigger_id
     JOIN firings f ON f.sensor_trigger_id = p.id
       AND f.fired_ms = COALESCE(LEAST(p.episode_ms, p.inactivity_episode_ms), p.episode_ms, p.inactivity_episode_ms)
     ${join} WHERE p.trigger_id IN (?) AND ${where} AND p.active
       AND (p.episode_ms IS NOT NULL OR p.inactivity_episode_ms IS NOT NULL) ORDER BY f.fired_ms, f.id`,
    [[...new Set(dependents.map(({ parentId }) => parentId))], ...values],
  );
  return rows.map((row) => ({
    firingId: Number(row.id),
    ownerId: Number(row.ownerId),
    triggerId: Number(row.triggerId),
    triggerName: String(row.name),
    sensorId: Number(row.sensorId),
    sinceMs: Number(row.firedMs),
    isMarked: Boolean(row.holds),
    mutedUntilMs: row.mutedUntilMs === null ? null : Number(row.mutedUntilMs),
    ...(join && { label: { name: String(row.label), valueKey: String(row.valueKey) } }),
  }));
}

async function withoutMuted(run: RunSql, open: readonly Open[], nowMs: number): Promise<Open[]> {
  const mutes = await readMutes(run, [...new Set(open.map(({ ownerId }) => ownerId))]);
  return open.filter(({ ownerId, sensorId, triggerId, mutedUntilMs }) => {
    const muting = { mutes: mutes.get(ownerId) ?? [], mutedUntilMs };
    return muteEndMs(muting, { sensorId, triggerId, atMs: nowMs }) <= nowMs;
  });
}

/** The first values of the metatags that are asked for, in lower case, by sensor and name. */
async function readValueKeys(run: RunSql, labelled: readonly Dependent[]): Promise<ReadonlyMap<string, string>> {
  if (labelled.length === 0) return new Map();
  const rows = await run(
    `SELECT sensor_id AS sensorId, name, value_key AS valueKey FROM metatags
     WHERE sensor_id IN (?) AND namespace = 'default' AND name IN (?) AND position = 0`,
    [[...new Set(labelled.map(({ sensorId }) => sensorId))], namesOf(labelled)],
  );
  return new Map(rows.map(({ sensorId, name, valueKey }) => [`${sensorId} ${name}`, String(valueKey)]));
}

function namesOf(labelled: readonly Dependent[]): (string | null)[] {
  return [...new Set(labelled.map(({ label }) => label))];
}
