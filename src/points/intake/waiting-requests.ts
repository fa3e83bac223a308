import type { NewEvent } from '../../events/event-log';
import type { Queued } from '../../fairness/fair-queue';
import type { TransactionConnection } from '../../storage/pipeline';
import type { UploadedPoint } from '../data-points/data-point';
import type { CachedCredential } from './preconditions';

export interface PointBatch {
  sensorId: number;
  points: UploadedPoint[];
  /** By the server's clock. */
  receivedMs: number;
  /** Stored only: nothing evaluates them, and no event reports them. */
  isPast?: boolean;
}

/** `notEvaluated`: points. `not-owned`: a sensor does not exist or belongs to another user; nothing was stored. */
export type UploadOutcome = { storedMs: number; notEvaluated: number } | 'not-owned';

export interface Prepared {
  batches: PointBatch[];
  eventUsers: readonly number[];
}

/** Runs again if the transaction is retried. */
export type Prepare = (connection: TransactionConnection) => Promise<Prepared>;

/** `size`: number of points. `weight`: approximate bytes in memory. */
export interface Waiting extends Queued<number> {
  batches: PointBatch[];
  /** Determines the batches. Such a request has its own commit. */
  prepare?: Prepare | undefined;
  /** Set only if the credential came from a cache. */
  credential?: CachedCredential;
  resolve(outcome: UploadOutcome): void;
  reject(error: unknown): void;
}

const BYTES_PER_POINT = 100;

/**
 * All that follows from an answer is done before the next one. So the first client sends again while others are
 * answered: single points of 64 connections are 5 % faster.
 */
export async function answerEach(
  group: readonly Waiting[],
  outcomeOf: (request: Waiting) => UploadOutcome,
): Promise<void> {
  for (const request of group) {
    request.resolve(outcomeOf(request));
    await new Promise<void>((resolve) => process.nextTick(resolve)); // after all pending promise callbacks
  }
}

export async function prepareFirst(
  connection: TransactionConnection,
  [request]: readonly Waiting[],
): Promise<Prepared | undefined> {
  if (!request?.prepare) return undefined;
  const prepared = await request.prepare(connection);
  request.batches = prepared.batches;
  return prepared;
}

export function sensorsOf(group: readonly Waiting[]): Set<number> {
  const ids = new Set<number>();
  for (const { batches } of group) for (const { sensorId } of batches) ids.add(sensorId);
  return ids;
}

export function measure(batches: readonly Pick<PointBatch, 'points'>[]): { size: number; weight: number } {
  let [size, weight] = [0, 0];
  for (const { points } of batches) {
    size += points.length;
    for (const { value } of points) weight += BYTES_PER_POINT + value.length;
  }
  return { size, weight };
}

/** One statement writes the rows: all dates must be free, or none. */
export function areOfOneKind(group: readonly Waiting[]): boolean {
  let isUniting: boolean | undefined;
  for (const { batches } of group) {
    for (const { points } of batches) {
      for (const { dateMs, belowNs } of points) {
        isUniting ??= belowNs !== undefined;
        if (dateMs === undefined || (belowNs !== undefined) !== isUniting) return false;
      }
    }
  }
  return true;
}

/** An upload is one event on a sensor, whatever its number of points. */
export function toEvents({ tenant: userId, batches }: Waiting): NewEvent[] {
  const ids = new Set(
    batches.filter(({ points, isPast }) => points.length > 0 && !isPast).map(({ sensorId }) => sensorId),
  );
  return [...ids].map((subjectId) => ({ name: 'add_sensor_data' as const, subjectId, userId }));
}
