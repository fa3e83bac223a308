import type { PoolConnection } from 'mysql2/promise';
import { noticedMs, readWaitingFirings } from '../../notifications';
import { runOn } from '../../storage/transaction';
import { findHolders } from '../firings/holders';
import { recordHeldBy } from '../firings/recorded-holders';
import type { Fired, WrittenFiring } from './firing-rows';

/** What deliveries of dependent triggers wait for. */
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
  const run = runOn(connection);
  const known = delivered.flatMap((fired) => {
    const { dependsOn, firedMs, episodeMs, sensorTriggerId } = fired.firing;
    const written = writtenOf.get(sensorTriggerId);
    return dependsOn && firedMs !== episodeMs && written ? [{ ...fired, ...written, dependsOn }] : [];
  });
  const repeats = known.filter((one) => !isBeginning(one));
  const dependents = repeats.map(({ firing: { sensorTriggerId: key, ownerId }, sensor, dependsOn }) => {
    return { key, ownerId, sensorId: sensor.id, parentId: dependsOn.triggerId, label: dependsOn.label };
  });
  const holders = await findHolders(run, dependents, nowMs);
  // The end of the episode then looks for what waits.
  const waitingIds = known.flatMap((one) => {
    return isBeginning(one) || holders.has(one.firing.sensorTriggerId) ? one.firstId : [];
  });
  if (waitingIds.length > 0) await run('UPDATE firings SET is_dependent = TRUE WHERE id IN (?)', [waitingIds]);
  await recordHeldBy(run, repeats, ({ firing }) => holders.get(firing.sensorTriggerId));
  const mayWait = known.filter(({ hasWaiting, isHeld }) => hasWaiting || isHeld);
  const firstIds = mayWait.map(({ firstId }) => firstId);
  const waiting = await readWaitingFirings(run, 'e.id IN (?)', firstIds);
  const keys = new Set(waiting.map(({ firstId, notificationId }) => `${firstId} ${notificationId}`));
  return {
    waitMs(fired, written) {
      const { dependsOn, episodeMs, firedMs, sensorTriggerId } = fired.firing;
      if (!dependsOn || !(isBeginning({ ...fired, ...written }) || holders.has(sensorTriggerId))) return null;
      return noticedMs(episodeMs, firedMs, dependsOn.waitS);
    },
    isWaiting: ({ firstId }, notificationId) => keys.has(`${firstId} ${notificationId}`),
  };
}

function isBeginning({ isFirst, isDeferred }: Pick<Fired & WrittenFiring, 'isFirst' | 'isDeferred'>): boolean {
  return isFirst && !isDeferred;
}
