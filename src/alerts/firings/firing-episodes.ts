import { type Muting, muteEndMs } from '../../edge/mute';
import { DEFAULT_SEVERITY, type Severity } from '../../edge/severity';
import { Firing } from '../../storage/models/firing.model';
import { Sensor } from '../../storage/models/sensor.model';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { Trigger } from '../../storage/models/trigger.model';
import { User } from '../../storage/models/user.model';
import { readMutes } from '../../storage/mutes';
import type { Reader } from '../../storage/read-pool';
import { runOn } from '../../storage/transaction';
import { findHeldBy, type HeldBy } from './held-by';

export interface EpisodeFiring {
  firing: Firing;
  first: Firing | undefined;
  /** After the trigger's deletion the default severity and no rule. */
  trigger: FiredTrigger;
  /** Null after the sensor's deletion. */
  sensorName: string | null;
  /** Null if nothing mutes the trigger now, or the episode has ended. */
  mutedNow: MutedNow | null;
  heldBy: HeldBy | null;
  /** By the ids of its owner, of who acknowledged it and of whom it is assigned to. Closed accounts have none. */
  usernames: ReadonlyMap<number, string>;
}

interface MutedNow {
  untilMs: number;
  by: 'trigger' | 'mute';
}

interface FiredTrigger {
  name: string | null;
  severity: Severity;
  expression: string | null;
  /** Seconds. */
  inactivity: number | null;
  groupId: number | null;
}

const DELETED: FiredTrigger = {
  name: null,
  severity: DEFAULT_SEVERITY,
  expression: null,
  inactivity: null,
  groupId: null,
};

export async function withEpisodes(
  firings: readonly Firing[],
  { reads, nowMs }: { reads: Reader; nowMs: number },
): Promise<EpisodeFiring[]> {
  if (firings.length === 0) return [];
  const [known, triggers, names] = await Promise.all([
    findFirst(firings),
    findTriggers(firings),
    findSensorNames(firings.map(({ sensorId }) => sensorId)),
  ]);
  const firstOf = (firing: Firing) => known.get(firing.episodeId ?? firing.id);
  const open = firings.filter((firing) => firstOf(firing)?.isLasting);
  const muted = await findMuted(open, reads, nowMs);
  const usernames = await findUsernames([...firings, ...known.values()]);
  const held = await findHeldBy([...new Set(firings.flatMap((firing) => firstOf(firing) ?? []))], { reads, nowMs });
  return firings.map((firing) => ({
    firing,
    first: firstOf(firing),
    trigger: triggers.get(firing.triggerId) ?? DELETED,
    sensorName: names.get(firing.sensorId) ?? null,
    mutedNow: muted.get(firing.id) ?? null,
    heldBy: held.get(firing.episodeId ?? firing.id) ?? null,
    usernames,
  }));
}

/** By firing id. */
async function findMuted(firings: readonly Firing[], reads: Reader, nowMs: number): Promise<Map<number, MutedNow>> {
  const muted = new Map<number, MutedNow>();
  if (firings.length === 0) return muted;
  const id = [...new Set(firings.map(({ sensorTriggerId }) => sensorTriggerId))];
  const [mutes, pairs] = await Promise.all([
    readMutes(runOn(reads), [...new Set(firings.map(({ ownerId }) => ownerId))]),
    SensorTrigger.findAll({ where: { id }, attributes: ['id', 'mutedUntilMs'] }),
  ]);
  const times = new Map(pairs.map((pair) => [pair.id, pair.mutedUntilMs]));
  for (const firing of firings) {
    const own = times.get(firing.sensorTriggerId) ?? null;
    const now = mutedNow(firing, { mutes: mutes.get(firing.ownerId) ?? [], mutedUntilMs: own }, nowMs);
    if (now) muted.set(firing.id, now);
  }
  return muted;
}

function mutedNow({ sensorId, triggerId }: Firing, muting: Muting, nowMs: number): MutedNow | null {
  const untilMs = muteEndMs(muting, { sensorId, triggerId, atMs: nowMs });
  if (untilMs <= nowMs) return null;
  return { untilMs, by: (muting.mutedUntilMs ?? 0) > nowMs ? 'trigger' : 'mute' };
}

async function findFirst(firings: readonly Firing[]): Promise<Map<number, Firing>> {
  const known = new Map(firings.map((firing) => [firing.id, firing]));
  const missing = firings.flatMap(({ episodeId }) => (episodeId === null || known.has(episodeId) ? [] : [episodeId]));
  if (missing.length === 0) return known;
  const others = { exclude: ['variables'] };
  for (const first of await Firing.findAll({ where: { id: missing }, attributes: others })) known.set(first.id, first);
  return known;
}

async function findTriggers(firings: readonly Firing[]): Promise<Map<number, FiredTrigger>> {
  const id = [...new Set(firings.map(({ triggerId }) => triggerId))];
  const attributes = ['id', 'name', 'severity', 'expression', 'inactivity', 'groupId'];
  const triggers = await Trigger.findAll({ where: { id }, attributes });
  return new Map(
    triggers.map(({ id: triggerId, name, severity, expression, inactivity, groupId }) => [
      triggerId,
      { name, severity: severity as Severity, expression, inactivity, groupId },
    ]),
  );
}

async function findUsernames(firings: readonly Firing[]): Promise<Map<number, string>> {
  const ids = firings.flatMap(({ ownerId, acknowledgedBy, assignedTo }) => [ownerId, acknowledgedBy, assignedTo]);
  const id = [...new Set(ids)].filter((one) => one !== null);
  const users = await User.findAll({ where: { id, closedMs: null }, attributes: ['id', 'username'] });
  return new Map(users.map((user) => [user.id, user.username]));
}

/** By id. A deleted sensor has none. */
export async function findSensorNames(ids: readonly number[]): Promise<Map<number, string>> {
  const where = { id: [...new Set(ids)] };
  const sensors = await Sensor.findAll({ where, attributes: ['id', 'name', 'displayName'] });
  return new Map(sensors.map((sensor) => [sensor.id, sensor.displayName || sensor.name]));
}
