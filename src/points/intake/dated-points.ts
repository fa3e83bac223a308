import type { PoolConnection } from 'mysql2/promise';
import { inOrderOfDates } from '../data-points/data-point';
import { type DatedBatch, dateByServer, type UploadedBatch } from './data-point-rows';
import { unitePoints } from './united-points';
import type { Targets } from './upload-targets';

/**
 * Returns points in date order, so that a pass that takes only some takes the oldest; no promise if nothing has to be
 * read: then all statements of the commit go in one packet.
 */
export function datePoints(
  connection: PoolConnection,
  batches: readonly UploadedBatch[],
  targets: Targets,
  { isAgain, isUniting }: { isAgain: boolean; isUniting: boolean },
): DatedBatch[] | Promise<DatedBatch[]> {
  const dating = dateByServer(connection, batches, isAgain);
  if (!isUniting) return dating instanceof Promise ? dating.then(inOrder) : inOrder(dating);
  return Promise.resolve(dating).then(async (dated) => inOrder(await unitePoints(connection, dated, targets)));
}

function inOrder(batches: readonly DatedBatch[]): DatedBatch[] {
  return batches.map((batch) => ({ ...batch, points: inOrderOfDates(batch.points) }));
}
