import type { PoolConnection } from 'mysql2/promise';
import { noticedMs, readWaitingFirings } from '../../notifications';
import { runOn } from '../../storage/transaction';
import { findHolders, type Holder } from '../firings/holders';
import type { Fired, WrittenFiring } from './firing-rows';

/** What the deliveries of firings wait for whose triggers depend on others. */
export interface Dependents {
  /** The earliest time of a delivery; null if it need not wait. */
  waitMs(fired: Fired, written: WrittenFiring): number | null;
  /** A delivery of the episode to the notification waits already. */
  isWaiting(written: WrittenFiring, notificationId: number): boolean;
}

/**
 * The first delivered firing of an episode always waits, as its parent may fire next. A further one waits only while its
 * parent fires: its receiver knows of the episode. Without such firings no statement is needed.
 */
export async function planDependents(
  connection: PoolConnection,
  delivered: readonly Fired[],
  writtenOf: ReadonlyMap<number, WrittenFiring>,
  nowMs: number,
): Promise<Dependents> {
  const further = delivered.filter(({ firing }) => firing.dependsOn && firing.firedMs !== firing.episodeMs);
  const known = further.flatMap((fired) => {
    const written = writtenOf.get(fired.firing.sensorTriggerId);
    return written ? [{ fired, written }] : [];
  });
  const repeats = known.filter(({ fired, written }) => !isBeginning(fired, written));
  const holders = await holdersOf(connection, repeats, nowMs);
  await recordWaiting(connection, known, holders);
  const mayWait = known.filter(({ written }) => written.hasWaiting || written.isHeld);
  const ids = mayWait.map(({ written }) => written.firstId);
  const waiting = await readWaitingFirings(runOn(connection), 'e.id IN (?)', ids);
  const keys = new Set(waiting.map(({ firstId, notificationId }) => `${firstId} ${notificationId}`));
  return {
    waitMs(fired, written) {
      const { dependsOn, episodeMs, firedMs, sensorTriggerId } = fired.firing;
      if (!dependsOn || !(isBeginning(fired, written) || holders.has(sensorTriggerId))) return null;
      return noticedMs(episodeMs, firedMs, dependsOn.waitS);
    },
    isWaiting: ({ firstId }, notificationId) => keys.has(`${firstId} ${notificationId}`),
  };
}

interface Known {
  fired: Fired;
  written: WrittenFiring;
}

function isBeginning({ isFirst }: Fired, { isDeferred }: WrittenFiring): boolean {
  return isFirst && !isDeferred;
}

/** By sensor trigger. */
async function holdersOf(
  connection: PoolConnection,
  repeats: readonly Known[],
  nowMs: number,
): Promise<ReadonlyMap<number, Holder>> {
  const found = new Map<number, Holder>();
  for (const ownerId of new Set(repeats.map(({ fired }) => fired.firing.ownerId))) {
    const dependents = repeats.flatMap(({ fired: { firing, sensor } }) => {
      const { dependsOn, sensorTriggerId: key } = firing;
      if (!dependsOn || firing.ownerId !== ownerId) return [];
      return [{ key, sensorId: sensor.id, parentId: dependsOn.triggerId, label: dependsOn.label }];
    });
    const holders = await findHolders(runOn(connection), { ownerId, dependents, nowMs });
    for (const [key, holder] of holders) found.set(key, holder);
  }
  return found;
}

/** The end of the episode then looks for what waits. */
async function recordWaiting(
  connection: PoolConnection,
  known: readonly Known[],
  holders: ReadonlyMap<number, Holder>,
): Promise<void> {
  for (const { fired, written } of known) {
    const holder = holders.get(fired.firing.sensorTriggerId);
    if (!holder && !isBeginning(fired, written)) continue;
    await connection.query('UPDATE firings SET is_dependent = TRUE, held_by = COALESCE(?, held_by) WHERE id = ?', [
      holder?.firingId ?? null,
      written.firstId,
    ]);
  }
}
