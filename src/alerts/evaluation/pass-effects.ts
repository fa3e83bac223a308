import type { PoolConnection } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { muteEndMs } from '../../edge/mute';
import { type NewEvent, raiseEvents } from '../../events/event-log';
import type { FairShareScheduler } from '../../fairness/fair-share-scheduler';
import type { NamedSensor } from '../../language/notification-text';
import {
  cancelEscalations,
  cancelHeldRepeats,
  insertResolvedDeliveries,
  PacedTexts,
  readConnectedNotifications,
  releaseHeld,
} from '../../notifications';
import type { Clock } from '../../platform/clock';
import { appendChanges, type Change, findTopics } from '../../points';
import { pipelined } from '../../storage/pipeline';
import { runOn } from '../../storage/transaction';
import { isDelivered } from '../rules/delivery-plan';
import type {
  EpisodeEnd,
  LateArrivals,
  SensorChanges,
  SensorFiring,
  SensorState,
  StateChange,
} from '../rules/sensor-state';
import { recordLatePoints } from '../trigger-store/late-points';
import type { PassStates } from '../trigger-store/trigger-store';
import { planDependents } from './dependent-firings';
import { writeFiringDeliveries } from './firing-deliveries';
import { type Ended, type Fired, type WrittenFiring, writeEnds, writeFirings } from './firing-rows';

export interface SensorResult {
  sensor: NamedSensor;
  state: SensorState;
  changes: SensorChanges;
}

interface Written {
  nudges: DeliveryNudge[];
  eventUsers: number[];
  isStreamed: boolean;
}

/**
 * Writes states, firings, ends of episodes, events, and pending deliveries. The pass decided as of `nowMs`; the clock
 * shows how long that took. Returns what must be nudged.
 */
export async function writeResults(
  connection: PoolConnection,
  results: readonly SensorResult[],
  { nowMs, clock, states, shares }: { nowMs: number; clock: Clock; states: PassStates; shares: FairShareScheduler },
): Promise<Written> {
  const evaluatedMs = clock.now();
  const changed: StateChange[] = [];
  const fired: Fired[] = [];
  const ended: Ended[] = [];
  const late: LateArrivals[] = [];
  for (const { sensor, state, changes } of results) {
    changed.push(...changes.states);
    late.push(...changes.late);
    for (const firing of changes.firings) fired.push({ firing, sensor, isFirst: isFirst(firing, changes.states) });
    for (const end of changes.ends) ended.push({ end, sensor, deliverAtMs: deliverAtMs(end, sensor.id, state, nowMs) });
  }
  const audible = fired.filter(({ firing }) => !firing.isMuted);
  const delivered = fired.filter(({ firing, isFirst }) => isDelivered(firing, isFirst));
  const events = [...audible.map(fireEvent), ...ended.filter(({ end }) => end.episode.isAnnounced).map(resolveEvent)];
  // Pipelined with the first statements about firings: none needs the result of another.
  const changing = pipelined(states.save(changed));
  const noting = pipelined(recordLatePoints(connection, late, nowMs));
  const raising = pipelined(raiseEvents(runOn(connection), events, nowMs));
  const times = { nowMs, evaluatedMs, clock, texts: new PacedTexts(shares) };
  const firings = await writeFired(connection, { fired, delivered }, times);
  const resolved = ended.length > 0 ? await writeResolved(connection, ended, times) : [];
  await Promise.all([changing, noting]);
  const nudges = [...firings.nudges, ...resolved];
  return { nudges, eventUsers: await raising, isStreamed: firings.isStreamed };
}

/** True if no earlier firing of the episode was delivered. */
function isFirst(
  { sensorTriggerId, firedMs, episodeMs, reason }: SensorFiring,
  states: readonly StateChange[],
): boolean {
  if (firedMs === episodeMs) return true;
  const before = states.find((change) => change.sensorTriggerId === sensorTriggerId)?.before;
  const episode = reason === 'expression' ? before?.episode : before?.inactivityEpisode;
  return episode?.isAnnounced === false;
}

interface Writing {
  nowMs: number;
  evaluatedMs: number;
  clock: Clock;
  texts: PacedTexts;
}

async function writeFired(
  connection: PoolConnection,
  { fired, delivered }: { fired: readonly Fired[]; delivered: readonly Fired[] },
  { nowMs, evaluatedMs, clock, texts }: Writing,
): Promise<Pick<Written, 'nudges' | 'isStreamed'>> {
  if (fired.length === 0) return { nudges: [], isStreamed: false };
  const ownerIds = [...new Set(fired.map(({ firing }) => firing.ownerId))];
  const sensorTriggerIds = delivered.map(({ firing }) => firing.sensorTriggerId);
  const [written, streamedOwners, notifications] = await Promise.all([
    writeFirings(connection, fired, nowMs),
    findTopics(connection, 'firings', ownerIds),
    sensorTriggerIds.length === 0 ? [] : readConnectedNotifications(runOn(connection), sensorTriggerIds),
  ]);
  const dependents = await planDependents(connection, delivered, written, nowMs);
  const times = { evaluatedMs, queuedMs: clock.now(), texts };
  const [nudges] = await Promise.all([
    writeFiringDeliveries(connection, delivered, { written, notifications, dependents }, times),
    appendChanges(connection, arrivalsOf(fired, written, streamedOwners), nowMs),
  ]);
  return { nudges, isStreamed: streamedOwners.size > 0 };
}

function arrivalsOf(
  fired: readonly Fired[],
  written: ReadonlyMap<number, WrittenFiring>,
  owners: ReadonlySet<number>,
): Change[] {
  return [...owners].map((ownerId) => {
    const own = fired.filter(({ firing }) => firing.ownerId === ownerId);
    const items = own.flatMap(({ firing }) => written.get(firing.sensorTriggerId)?.id ?? []);
    return { kind: 'firings', thingId: ownerId, items };
  });
}

/** Deliveries of a firing in this pass are already written, so they go out before the end of its episode. */
async function writeResolved(
  connection: PoolConnection,
  ended: readonly Ended[],
  { nowMs, evaluatedMs, clock, texts }: Writing,
): Promise<DeliveryNudge[]> {
  const firings = await writeEnds(connection, ended, nowMs);
  const run = runOn(connection);
  const idsOf = (is: 'hasWaiting' | 'isHeld' | 'holds') =>
    firings.flatMap((firing) => (firing?.[is] ? [firing.id] : []));
  await cancelEscalations(run, idsOf('hasWaiting'));
  await cancelHeldRepeats(run, idsOf('isHeld'));
  await releaseHeld(run, idsOf('holds'), nowMs);
  const notified = ended.flatMap(({ end, sensor, deliverAtMs }, index) => {
    const firing = firings[index];
    const { sensorTriggerId, triggerId, triggerName, ownerId, point, episode } = end;
    const { isAnnounced } = episode;
    if (deliverAtMs === null || !firing || !(isAnnounced || firing.isDeferred)) return [];
    const instants = { receivedMs: point?.receivedMs ?? null, storedMs: point?.storedMs ?? null, evaluatedMs };
    const known = { firingId: firing.id, sensorTriggerId, triggerId, triggerName, ownerId, sensor, isAnnounced };
    return [{ ...known, needsFiring: !isAnnounced || firing.isDependent, deliverAtMs, instants }];
  });
  const options = { nowMs, createdMs: clock.now(), isSelfContained: false, texts };
  return insertResolvedDeliveries(run, notified, options);
}

/** Now, or when the mute is over; null if ends are not delivered. */
function deliverAtMs(
  { sensorTriggerId, triggerId }: EpisodeEnd,
  sensorId: number,
  { triggers, mutes }: SensorResult['state'],
  nowMs: number,
): number | null {
  const trigger = triggers.find((entry) => entry.sensorTriggerId === sensorTriggerId);
  if (!trigger?.notifyResolved) return null;
  return muteEndMs({ mutes, mutedUntilMs: trigger.mutedUntilMs }, { sensorId, triggerId, atMs: nowMs });
}

function fireEvent({ firing, sensor }: Fired): NewEvent {
  return { name: 'fire_trigger', subjectId: firing.triggerId, sourceId: sensor.id, userId: firing.ownerId };
}

function resolveEvent({ end, sensor }: Ended): NewEvent {
  return { name: 'resolve_trigger', subjectId: end.triggerId, sourceId: sensor.id, userId: end.ownerId };
}
