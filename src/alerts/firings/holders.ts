import { muteEndMs } from '../../edge/mute';
import { readMutes } from '../../storage/mutes';
import type { RunSql } from '../../storage/transaction';

/** What asks for its holder. */
export interface Dependent {
  /** Identifies it in the result. */
  key: number;
  sensorId: number;
  parentId: number;
  /** The metatag whose value both sensors have; null for the same sensor. */
  label: string | null;
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

interface Asking {
  ownerId: number;
  dependents: readonly Dependent[];
  nowMs: number;
}

/** The oldest open episode, not muted, of the trigger that each one depends on: on its sensor, or on one with its label. */
export async function findHolders(
  run: RunSql,
  { ownerId, dependents, nowMs }: Asking,
): Promise<ReadonlyMap<number, Holder>> {
  const sameSensor = dependents.filter(({ label }) => label === null);
  const labelled = dependents.filter(({ label }) => label !== null);
  const open = [
    ...(await readOpen(run, ownerId, sameSensor, true)),
    ...(await readOpen(run, ownerId, labelled, false)),
  ];
  const audible = open.length === 0 ? [] : await withoutMuted(run, { ownerId, open, nowMs });
  if (audible.length === 0) return new Map();
  const labels = await readLabels(run, labelled, audible);
  const places = new Map<string, Holder>();
  for (const holder of audible) {
    const own = [`sensor ${holder.sensorId}`, ...(labels.get(holder.sensorId) ?? [])];
    for (const place of own) {
      const key = `${holder.triggerId} ${place}`;
      if (!places.has(key)) places.set(key, holder);
    }
  }
  return new Map(
    dependents.flatMap(({ key, sensorId, parentId, label }) => {
      const own = label === null ? [`sensor ${sensorId}`] : (labels.get(sensorId) ?? []);
      const place = own.find((one) => label === null || one.startsWith(`label ${label} `));
      const holder = places.get(`${parentId} ${place}`);
      return holder ? [[key, holder] as const] : [];
    }),
  );
}

interface Open extends Holder {
  mutedUntilMs: number | null;
}

/** Oldest first. By labels, all sensors of the triggers. */
async function readOpen(
  run: RunSql,
  ownerId: number,
  dependents: readonly Dependent[],
  onSameSensors: boolean,
): Promise<Open[]> {
  if (dependents.length === 0) return [];
  const [only, sensorIds] = onSameSensors
    ? [' AND p.sensor_id IN (?)', [dependents.map(({ sensorId }) => sensorId)]]
    : ['', []];
  const rows = await run(
    `SELECT f.id, p.trigger_id AS triggerId, t.name, p.sensor_id AS sensorId, f.fired_ms AS firedMs, f.holds,
       p.muted_until_ms AS mutedUntilMs
     FROM sensor_triggers p JOIN triggers t ON t.id = p.trigger_id
     JOIN firings f ON f.sensor_trigger_id = p.id
       AND f.fired_ms = COALESCE(LEAST(p.episode_ms, p.inactivity_episode_ms), p.episode_ms, p.inactivity_episode_ms)
     WHERE p.trigger_id IN (?)${only} AND t.owner_id = ? AND p.active
       AND (p.episode_ms IS NOT NULL OR p.inactivity_episode_ms IS NOT NULL) ORDER BY f.fired_ms, f.id`,
    [[...new Set(dependents.map(({ parentId }) => parentId))], ...sensorIds, ownerId],
  );
  return rows.map((row) => ({
    firingId: Number(row.id),
    triggerId: Number(row.triggerId),
    triggerName: String(row.name),
    sensorId: Number(row.sensorId),
    sinceMs: Number(row.firedMs),
    isMarked: Boolean(row.holds),
    mutedUntilMs: row.mutedUntilMs === null ? null : Number(row.mutedUntilMs),
  }));
}

async function withoutMuted(
  run: RunSql,
  { ownerId, open, nowMs }: { ownerId: number; open: readonly Open[]; nowMs: number },
): Promise<Open[]> {
  const mutes = (await readMutes(run, [ownerId])).get(ownerId) ?? [];
  return open.filter(({ sensorId, triggerId, mutedUntilMs }) => {
    return muteEndMs({ mutes, mutedUntilMs }, { sensorId, triggerId, atMs: nowMs }) <= nowMs;
  });
}

/** The first values of the metatags that are asked for, by sensor. */
async function readLabels(
  run: RunSql,
  dependents: readonly Dependent[],
  open: readonly Open[],
): Promise<ReadonlyMap<number, string[]>> {
  const found = new Map<number, string[]>();
  if (dependents.length === 0) return found;
  const sensorIds = new Set([...dependents, ...open].map(({ sensorId }) => sensorId));
  const rows = await run(
    `SELECT sensor_id AS sensorId, name, value_key AS valueKey FROM metatags
     WHERE sensor_id IN (?) AND namespace = 'default' AND name IN (?) AND position = 0`,
    [[...sensorIds], [...new Set(dependents.map(({ label }) => label))]],
  );
  for (const { sensorId, name, valueKey } of rows) {
    const id = Number(sensorId);
    found.set(id, [...(found.get(id) ?? []), `label ${String(name)} ${String(valueKey)}`]);
  }
  return found;
}
