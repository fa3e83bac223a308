import type { Pool, PoolConnection } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import type { FairShareScheduler } from '../../fairness/fair-share-scheduler';
import type { Clock } from '../../platform/clock';
import type { RetentionDays } from '../../platform/retention';
import {
  groupBySensor,
  lockPartitions,
  type PartitionLayout,
  type PassScope,
  removeHandled,
  type WaitingPoint,
} from '../../points';
import { pipelined } from '../../storage/pipeline';
import { inPoolTransaction } from '../../storage/transaction';
import type { SensorState } from '../rules/sensor-state';
import type { PassSensor } from '../trigger-store/sensor-states';
import { type ShadowResult, writeShadows } from '../trigger-store/shadow-results';
import type { TriggerStore } from '../trigger-store/trigger-store';
import { SensorActor } from './actors/sensor.actor';
import {
  type Availability,
  type PassWork,
  readAvailability,
  readWork,
  withDueShadows,
  withUnwrittenOutage,
} from './inbox';
import { PassClock } from './pass-clock';
import { type SensorResult, writeResults } from './pass-effects';
import { handlePoints } from './pass-points';
import { selectSensors } from './pass-sensors';
import { PassWindows } from './pass-windows';
import { PassWrites } from './pass-writes';
import { computeServices } from './service-pass';
import { tryShadows } from './shadow-pass';

export interface PassSetting {
  pool: Pool;
  clock: Clock;
  layout: PartitionLayout;
  shares: FairShareScheduler;
  store: TriggerStore;
  retentionDays?: RetentionDays;
}

export interface PassOutcome {
  results: SensorResult[];
  points: number;
  nudges: DeliveryNudge[];
  partitions: Set<number>;
  eventUsers: number[];
  isStreamed: boolean;
  /** True if the pass left points that it had read. */
  isCut: boolean;
  /** More points wait in the scope, of owners who need not wait for their share. */
  hasMore: boolean;
}

/** Earlier outages are read only for a sensor that has been inactive for longer. */
const OUTAGES_MS = 86_400_000;

/**
 * Runs one transaction. Points come first, the oldest first, then inactivity, then services. Throws PassTooLong if an
 * owner's services take too long: the retry takes fewer points of the owner. Throws LayoutChanged or MisplacedBatches
 * while the partition count changes.
 */
export async function runPass(setting: PassSetting, scope: PassScope): Promise<PassOutcome> {
  const { pool, clock, shares, store, retentionDays = null } = setting;
  const partitionCount = setting.layout.count;
  let passClock: PassClock | undefined;
  let keep = () => {};
  try {
    const outcome = await inPoolTransaction(pool, async (connection): Promise<PassOutcome> => {
      const { states, read, availability } = await readAll(connection, setting, scope);
      const { work, sensors } = await selectSensors(connection, read, states);
      await states.check(sensors);
      passClock = new PassClock(shares, countByOwner(work.points));
      for (const [ownerId, bytes] of states.readBytes) passClock.chargeBytes(ownerId, bytes);
      const { results, shadows, nowMs, unhandled } = await decide(
        connection,
        { work, sensors, availability },
        { clock, passClock, shares, retentionDays, store, unevaluated: scope.unevaluated },
      );
      const points = unhandled.size === 0 ? work.points : work.points.filter((point) => !unhandled.has(point.sensorId));
      const hasMore = work.hasMore || unhandled.size > 0;
      const isCut = points.length < read.points.length;
      const writing = pipelined(writeResults(connection, results, { nowMs, clock, states, shares }));
      const trying = writeShadows(connection, shadows, nowMs);
      const removing = pipelined(Promise.all([trying, removeHandled(connection, work.batches, points)]));
      const written = await writing;
      const services = { partitionCount, nowMs, passClock, sensors, states, windows: store.windows, retentionDays };
      const computed = await computeServices(connection, points, { ...services, unevaluated: scope.unevaluated });
      await removing;
      const eventUsers = [...written.eventUsers, ...computed.eventUsers];
      const isStreamed = written.isStreamed || computed.isStreamed;
      keep = () => {
        store.keep(states, sensors, results, shadows);
        computed.keep();
      };
      const caused = { nudges: written.nudges, partitions: computed.partitions, eventUsers, isStreamed };
      return { results, points: points.length, ...caused, isCut, hasMore };
    });
    keep();
    passClock?.charge({ isDone: true });
    return outcome;
  } catch (error) {
    passClock?.charge({ isDone: false });
    throw error;
  }
}

/** All of these statements are pipelined. The reads run with the partitions locked. */
async function readAll(connection: PoolConnection, { clock, layout, shares, store }: PassSetting, scope: PassScope) {
  const partitionCount = layout.count;
  const nowMs = clock.now();
  const wanted = { partitionCount, shares, nowMs };
  const locking = lockPartitions(connection, scope.partitions, partitionCount);
  const reading = pipelined(readWork(connection, scope, wanted));
  const awaiting = pipelined(readAvailability(connection, nowMs - OUTAGES_MS));
  const states = await store.open(connection, { versions: await locking, partitionCount }, nowMs);
  const [work, availability] = [await reading, await awaiting];
  states.hasShadows = Number.isFinite(availability.shadowsDueMs);
  const read = availability.shadowsDueMs <= nowMs ? await withDueShadows(connection, scope, wanted, work) : work;
  return { states, read, availability };
}

interface Taken {
  work: PassWork;
  sensors: ReadonlyMap<number, PassSensor>;
  availability: Availability;
}

interface Deciding extends Pick<PassSetting, 'clock' | 'shares' | 'store'> {
  passClock: PassClock;
  retentionDays: RetentionDays;
  unevaluated: string | undefined;
}

interface Decided {
  results: SensorResult[];
  shadows: ShadowResult[];
  nowMs: number;
  unhandled: ReadonlySet<number>;
}

/**
 * Owners with the least recent computing time come first. After much to write or too much time, the remaining sensors
 * are left to the next pass; so are those of an owner whose points take too long.
 */
async function decide(
  connection: PoolConnection,
  { work: { points, dueSensorIds }, sensors, availability }: Taken,
  { clock, passClock, shares, retentionDays, store, unevaluated }: Deciding,
): Promise<Decided> {
  const pointsOf = groupBySensor(points);
  const states: SensorState[] = [];
  for (const { state } of sensors.values()) if (state) states.push(state);
  const earliestMs = earliestInactivity(states, points);
  const known = earliestMs < availability.fromMs ? await readAvailability(connection, earliestMs) : availability;
  const due = new Set(dueSensorIds);
  // Read last: a process may pause between any two lines, and the points it has read must not lie in its future.
  const nowMs = clock.now();
  const results: SensorResult[] = [];
  const unhandled = new Set<number>();
  const writes = new PassWrites(connection);
  const isFull = () => writes.isFull || passClock.isFull;
  const context = { nowMs, unevaluated, ...withUnwrittenOutage(known, points) };
  const order = leastUsersFirst(states, pointsOf, shares);
  const reading = { connection, passClock, retentionDays, nowMs, unevaluated, cache: store.windows };
  const windows = new PassWindows(order, pointsOf, reading);
  for (const [state, ownerId] of order) {
    const isCut = () => ownerId !== undefined && passClock.isCut(ownerId);
    if (isFull() || isCut()) {
      unhandled.add(state.sensor.id);
      continue;
    }
    const actor = new SensorActor(state);
    const reader = await windows.take(state);
    const handling = handlePoints(actor, pointsOf.get(state.sensor.id), context, passClock, reader);
    for (const read of handling) await (read ?? passClock.yield());
    if (isCut()) {
      unhandled.add(state.sensor.id);
      continue;
    }
    if (due.has(state.sensor.id)) actor.handle({ kind: 'due' }, context);
    const changes = actor.changes();
    results.push({ sensor: state.sensor, state, changes });
    await writes.add(changes, state.shadows?.entries.length);
  }
  windows.keepUnhandled();
  const shadows = await tryShadows(results, { ...reading, pointsOf, due, context });
  return { results, shadows, nowMs, unhandled };
}

/** Orders sensors by what their owners will have computed lately after this pass; sensors without points come first. */
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

function countByOwner(points: readonly WaitingPoint[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { ownerId } of points) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  return counts;
}

function earliestInactivity(states: readonly SensorState[], points: readonly WaitingPoint[]): number {
  let earliest = Number.MAX_SAFE_INTEGER;
  for (const { triggers } of states) {
    for (const { state } of triggers) earliest = Math.min(earliest, state.inactiveSinceMs ?? earliest);
  }
  for (const { receivedMs } of points) earliest = Math.min(earliest, receivedMs);
  return earliest;
}
