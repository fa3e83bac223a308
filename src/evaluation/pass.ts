import type { Pool, PoolConnection } from 'mysql2/promise';
import type { DeliveryNudge } from '../../jobs/delivery.job';
import type { FairShareScheduler } from '../fairness/fair-share-scheduler';
import { removeHandled } from '../inbox/inbox-rows';
import { lockPartitions, type PartitionLayout } from '../inbox/partition-layout';
import { groupBySensor, type PassScope, type WaitingPoint } from '../inbox/waiting-point';
import type { Clock } from '../platform/clock';
import { inOrderOfDates } from '../rules/data-point';
import { pipelined } from '../storage/pipeline';
import { inPoolTransaction } from '../storage/transaction';
import { SensorActor } from './actors/sensor.actor';
import type { SensorState } from './actors/sensor.state';
import { checkCache } from './check-cache';
import { type Availability, type PassWork, readAvailability, readWork, withUnwrittenOutage } from './inbox';
import { PassClock } from './pass-clock';
import { type SensorResult, writeResults } from './pass-effects';
import { selectSensors } from './pass-sensors';
import type { PassSensor, SensorCache } from './sensor-cache';
import { computeServices } from './service-pass';
import type { WriteBehindBuffer } from './write-behind-buffer';

/** What passes need to know. */
export interface PassSetting {
  pool: Pool;
  clock: Clock;
  layout: PartitionLayout;
  shares: FairShareScheduler;
  memory: SensorCache;
  buffer: WriteBehindBuffer;
  /** Whether each pass compares its memory with the database; for tests. */
  checksCache: boolean;
}

/** What a pass has committed, and what is to be woken up for it. */
export interface PassOutcome {
  results: SensorResult[];
  /** How many it handled. */
  points: number;
  nudges: DeliveryNudge[];
  /** Partitions of virtual sensors that got points. */
  partitions: Set<number>;
  /** The users who caused the events that wait to be dispatched. */
  eventUsers: number[];
  /** Whether some of what it wrote is streamed. */
  isStreamed: boolean;
  /** Whether it has left points that it had read. */
  isCut: boolean;
  /** Whether more waits for the same scope that need not wait for its owner's share. */
  hasMore: boolean;
}

/** A pass with so many firings and ends of episodes ends after the sensor that it is at: writing them, with their deliveries, takes some tenths of a second. */
const FIRINGS_PER_PASS = 500;
/** Points that are evaluated before the clock is looked at: twice as many after each time that took less than this. */
const QUICK_MS = 5;
const MOST_AT_ONCE = 256;
/** Outages that ended earlier are only read for a sensor that has been inactive for longer. */
const OUTAGES_MS = 86_400_000;

/**
 * One pass, in one transaction. With its partitions locked, every actor gets its sensor's points, oldest first, then is
 * asked about inactivity; then the services that these sensors feed compute. What they decide and compute is written, and
 * what they handled removed. PassTooLong when the services of one owner take too long: run again, it takes fewer points of theirs.
 * LayoutChanged or MisplacedBatches while the number of partitions changes.
 */
export async function runPass(setting: PassSetting, scope: PassScope): Promise<PassOutcome> {
  const { pool, clock, shares, memory } = setting;
  const partitionCount = setting.layout.count;
  let passClock: PassClock | undefined;
  let remember = () => {};
  try {
    const outcome = await inPoolTransaction(pool, async (connection): Promise<PassOutcome> => {
      // All of this is issued at once; what is read is read with the partitions locked.
      const locking = lockPartitions(connection, scope.partitions, partitionCount);
      const reading = pipelined(readWork(connection, scope, { partitionCount, shares, nowMs: clock.now() }));
      const availability = pipelined(readAvailability(connection, clock.now() - OUTAGES_MS));
      const pass = { versions: await locking, partitionCount };
      const buffer = setting.buffer.begin(pass, clock.now());
      await buffer.flushDue(connection);
      const read = await reading;
      const { work, sensors } = await selectSensors(read, {
        connection,
        lookUp: memory.lookUp(pass),
        beforeReading: (sensorIds) => buffer.flushFor(connection, sensorIds),
      });
      if (setting.checksCache) await checkCache(connection, sensors, pass);
      passClock = new PassClock(shares, countByOwner(work.points));
      const { results, nowMs, unhandled } = await decide(
        connection,
        { work, sensors, availability: await availability },
        { clock, passClock, shares },
      );
      const points =
        unhandled.size === 0 ? work.points : work.points.filter(({ sensorId }) => !unhandled.has(sensorId));
      const hasMore = work.hasMore || unhandled.size > 0;
      const isCut = points.length < read.points.length;
      const writing = pipelined(writeResults(connection, results, { nowMs, clock, buffer }));
      const removing = pipelined(removeHandled(connection, work.batches, points));
      const written = await writing;
      const fed = servicesOf(sensors, points);
      const computed = await computeServices(connection, points, fed, { partitionCount, nowMs, passClock });
      await removing;
      const { nudges } = written;
      const eventUsers = [...written.eventUsers, ...computed.eventUsers];
      const isStreamed = written.isStreamed || computed.isStreamed;
      remember = () => {
        memory.keep(pass, sensors, results);
        setting.buffer.keep(buffer);
      };
      const { partitions } = computed;
      const caused = { nudges, partitions, eventUsers, isStreamed };
      return { results, points: points.length, ...caused, isCut, hasMore };
    });
    remember();
    passClock?.charge({ isDone: true });
    return outcome;
  } catch (error) {
    passClock?.charge({ isDone: false });
    throw error;
  }
}

/** What a pass takes. */
interface Taken {
  work: PassWork;
  sensors: ReadonlyMap<number, PassSensor>;
  /** With the outages of the latest day. */
  availability: Availability;
}

/**
 * Lets each sensor's actor handle its points, then its inactivity if that may be due. Owners who have computed least lately come first.
 * Once very many triggers have fired, or the pass has lasted, the other sensors are left to the next pass, and so are those of an owner
 * whose points take too long.
 */
async function decide(
  connection: PoolConnection,
  { work: { points, dueSensorIds }, sensors, availability }: Taken,
  { clock, passClock, shares }: { clock: Clock; passClock: PassClock; shares: FairShareScheduler },
): Promise<{ results: SensorResult[]; nowMs: number; unhandled: ReadonlySet<number> }> {
  const pointsOf = groupBySensor(points);
  const states: SensorState[] = [];
  for (const { state } of sensors.values()) if (state) states.push(state);
  const earliestMs = earliestInactivity(states, points);
  const known = earliestMs < availability.fromMs ? await readAvailability(connection, earliestMs) : availability;
  const due = new Set(dueSensorIds);
  // Read last: a process may be paused between any two lines, and the points it has read must not lie in its future.
  const nowMs = clock.now();
  const results: SensorResult[] = [];
  const unhandled = new Set<number>();
  let firings = 0;
  const context = { nowMs, ...withUnwrittenOutage(known, points) };
  for (const [state, ownerId] of leastUsersFirst(states, pointsOf, shares)) {
    const isCut = () => ownerId !== undefined && passClock.isCut(ownerId);
    if (firings >= FIRINGS_PER_PASS || passClock.isFull || isCut()) {
      unhandled.add(state.sensor.id);
      continue;
    }
    const actor = new SensorActor(state);
    for (const _ of handlePoints(actor, pointsOf.get(state.sensor.id), context, passClock)) await passClock.yield();
    if (isCut()) {
      unhandled.add(state.sensor.id);
      continue;
    }
    if (due.has(state.sensor.id)) actor.handle({ kind: 'inactivity-due' }, context);
    const changes = actor.changes();
    firings += changes.firings.length + changes.ends.length;
    results.push({ sensor: state.sensor, changes });
  }
  return { results, nowMs, unhandled };
}

/**
 * Sensors with the owners of their points, ordered by what these owners will have computed lately once this pass has handled their points;
 * sensors without points first.
 */
function leastUsersFirst(
  states: readonly SensorState[],
  pointsOf: ReadonlyMap<number, readonly WaitingPoint[]>,
  shares: FairShareScheduler,
): readonly (readonly [SensorState, number | undefined])[] {
  const rows = new Map<number, number>();
  const sensors = states.map((state) => {
    const points = pointsOf.get(state.sensor.id);
    const ownerId = points?.[0]?.ownerId;
    if (points && ownerId !== undefined) rows.set(ownerId, (rows.get(ownerId) ?? 0) + points.length);
    return [state, ownerId] as const;
  });
  if (rows.size <= 1) return sensors;
  const used = new Map([...rows].map(([ownerId, count]) => [ownerId, shares.usedMsAfter(ownerId, count)]));
  const usedBy = (ownerId: number | undefined) => (ownerId === undefined ? -1 : (used.get(ownerId) ?? 0));
  return sensors.sort(([, a], [, b]) => usedBy(a) - usedBy(b));
}

/** Some at a time, so that the clock can be looked at in between. Yields whenever other work of the process should have its pass. */
function* handlePoints(
  actor: SensorActor,
  given: readonly WaitingPoint[] | undefined,
  context: Parameters<SensorActor['handle']>[1],
  passClock: PassClock,
): Generator<undefined> {
  const ownerId = given?.[0]?.ownerId;
  if (given === undefined || ownerId === undefined) return;
  actor.handle({ kind: 'arrivals', of: given }, context);
  const byDate = inOrderOfDates(given);
  for (let start = 0, count = 1; start < byDate.length; ) {
    const points = byDate.length === 1 ? byDate : byDate.slice(start, start + count);
    const evaluate = () => actor.handle({ kind: 'points', points }, context);
    const tookMs = passClock.measure(ownerId, evaluate, points.length);
    if (passClock.isYieldDue) yield;
    if (passClock.isCut(ownerId)) return;
    start += count;
    if (tookMs < QUICK_MS) count = Math.min(count * 2, MOST_AT_ONCE);
  }
}

/** The services that get these points. */
function servicesOf(sensors: ReadonlyMap<number, PassSensor>, points: readonly WaitingPoint[]): Set<number> {
  const services = new Set<number>();
  for (const { sensorId } of points) for (const id of sensors.get(sensorId)?.serviceIds ?? []) services.add(id);
  return services;
}

function countByOwner(points: readonly WaitingPoint[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { ownerId } of points) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  return counts;
}

/** Outages before this instant cannot matter to any of these sensors. */
function earliestInactivity(states: readonly SensorState[], points: readonly WaitingPoint[]): number {
  let earliest = Number.MAX_SAFE_INTEGER;
  for (const { triggers } of states) {
    for (const { state } of triggers) earliest = Math.min(earliest, state.inactiveSinceMs ?? earliest);
  }
  for (const { receivedMs } of points) earliest = Math.min(earliest, receivedMs);
  return earliest;
}
