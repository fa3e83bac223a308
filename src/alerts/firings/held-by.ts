import { Firing } from '../../storage/models/firing.model';
import { Trigger } from '../../storage/models/trigger.model';
import type { Reader } from '../../storage/read-pool';
import { runOn } from '../../storage/transaction';
import { findHolders } from './holders';

/** The open episode that holds the deliveries of another one, or held them last. */
export interface HeldBy {
  firingId: number;
  triggerId: number;
  /** Null after the deletion of the trigger. */
  triggerName: string | null;
  sensorId: number;
  sinceMs: number;
}

interface Now {
  reads: Reader;
  nowMs: number;
}

/** By first firings: what is recorded, otherwise what holds an open episode at the moment. Usually reads nothing. */
export async function findHeldBy(first: readonly Firing[], now: Now): Promise<ReadonlyMap<number, HeldBy>> {
  const recorded = first.filter(({ heldBy }) => heldBy !== null);
  const unclear = first.filter(({ heldBy, isDependent, isLasting }) => heldBy === null && isDependent && isLasting);
  return new Map([...(await readRecorded(recorded)), ...(await findPresent(unclear, now))]);
}

async function readRecorded(held: readonly Firing[]): Promise<[number, HeldBy][]> {
  if (held.length === 0) return [];
  const holders = await Firing.findAll({
    attributes: ['id', 'triggerId', 'sensorId', 'firedMs'],
    where: { id: [...new Set(held.map(({ heldBy }) => Number(heldBy)))] },
  });
  const triggers = await Trigger.findAll({
    attributes: ['id', 'name'],
    where: { id: [...new Set(holders.map(({ triggerId }) => triggerId))] },
  });
  const names = new Map(triggers.map(({ id, name }) => [id, name]));
  const found = new Map(
    holders.map(({ id, triggerId, sensorId, firedMs }) => [
      id,
      { firingId: id, triggerId, triggerName: names.get(triggerId) ?? null, sensorId, sinceMs: firedMs },
    ]),
  );
  return held.flatMap(({ id, heldBy }): [number, HeldBy][] => {
    const holder = found.get(Number(heldBy));
    return holder ? [[id, holder]] : [];
  });
}

async function findPresent(open: readonly Firing[], { reads, nowMs }: Now): Promise<ReadonlyMap<number, HeldBy>> {
  if (open.length === 0) return new Map();
  const triggers = await Trigger.findAll({
    attributes: ['id', 'parentId', 'parentLabel'],
    where: { id: [...new Set(open.map(({ triggerId }) => triggerId))] },
  });
  const rules = new Map(triggers.map((trigger) => [trigger.id, trigger]));
  const dependents = open.flatMap(({ id: key, ownerId, sensorId, triggerId }) => {
    const { parentId = null, parentLabel = null } = rules.get(triggerId) ?? {};
    return parentId === null ? [] : [{ key, ownerId, sensorId, parentId, label: parentLabel }];
  });
  return findHolders(runOn(reads), dependents, nowMs);
}
