import { readPoint } from '../../points';
import { POINTS_AT_ONCE } from '../knobs';
import { RefusedArchive } from '../refused-archive';
import { dataEntry } from './entry-names';
import type { Importing } from './importing';
import { parseLine, readBlocks } from './lines';
import type { ZipReader } from './zip-reader';

/** Stores the points of all sensors, one after the other; nothing evaluates them. */
export async function storeData(importing: Importing): Promise<boolean> {
  const { zip, work } = importing;
  const ids = Object.keys(work.progress.ids.sensors)
    .map(Number)
    .sort((a, b) => a - b);
  for (const id of ids) {
    if (id <= work.progress.sensor || !zip.has(dataEntry(String(id)))) continue;
    const sensorId = importing.idOf('sensors', String(id));
    if (sensorId === undefined) continue;
    if (!(await storeOne(importing, dataEntry(String(id)), sensorId))) return false;
    await importing.services.dataPoints.endPast(sensorId);
    await work.advance({ sensor: id, line: 0 });
  }
  return true;
}

/** Goes on behind the points that are counted; those of an uncounted commit are stored again, which changes nothing. */
async function storeOne(importing: Importing, entry: string, sensorId: number): Promise<boolean> {
  const { zip, work } = importing;
  let read = work.progress.line;
  for await (const batch of batchesOf(zip, entry, read)) {
    // Before, so that the slice ends with all that it has read stored.
    if (importing.isOver()) return false;
    read += batch.length;
    await storeBatch(importing, { entry, sensorId, batch, read });
  }
  return true;
}

/** Lines behind the first ones, as many at once as a commit stores. */
async function* batchesOf(zip: ZipReader, entry: string, skipped: number): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let left = skipped;
  for await (const { lines } of readBlocks(zip, entry)) {
    for (const line of lines) {
      if (line === '') continue;
      if (left > 0) left -= 1;
      else batch.push(line);
      if (batch.length < POINTS_AT_ONCE) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

async function storeBatch(
  { services, ownerId, work, clock }: Importing,
  { entry, sensorId, batch, read }: { entry: string; sensorId: number; batch: string[]; read: number },
): Promise<void> {
  const points = batch.map((line, index) => {
    const point = readPoint(parseLine(entry, read - batch.length + index + 1, line), '');
    if (point.dateMs === undefined) throw new RefusedArchive(entry, 'a point has no date'); // the check has seen it
    return point;
  });
  await services.dataPoints.uploadPast(ownerId, sensorId, points, clock.now());
  await work.advance({ line: read, points: work.progress.points + batch.length });
}
