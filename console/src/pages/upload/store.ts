import { api, ask, messageOf } from '../../api';
import type { TableFile } from '../../csv/table-file';
import type { Understanding } from '../../csv/types';
import { formatDate } from '../../format';
import { many, t } from '../../language';

/**
 * Stores the points of a file, in the order of their dates. Returns the number of points that the platform has then
 * stored.
 */
export async function storeFile(
  id: string,
  file: TableFile,
  { points, first = 0, last = 0 }: Understanding,
  onSent: (sent: number) => void,
): Promise<string> {
  const before = await countStored(id, first, last);
  let sent = 0;
  let lastMs = first;
  try {
    for await (const batch of file.batches()) {
      const data = batch.map(({ ms, value }) => ({ date: ms / 1000, value }));
      await ask(api.post('/sensors/{id}/data', { params: { path: { id } }, body: { data } }));
      sent += batch.length;
      lastMs = batch.at(-1)?.ms ?? lastMs;
      onSent(sent);
    }
  } catch (error) {
    throw new Error(`${messageOf(error)} ${interrupted(sent, points, lastMs)}`);
  }
  return outcome(points, before, await countStored(id, first, last));
}

/** Counts the sensor's points from the first to the last date of the file. */
async function countStored(id: string, firstMs: number, lastMs: number): Promise<number> {
  const query = { start_date: firstMs / 1000, end_date: lastMs / 1000, per_page: 1, total: true };
  const { total } = await ask(api.get('/sensors/{id}/data', { params: { path: { id }, query } }));
  return total ?? 0;
}

/** Answered requests are stored; an unanswered one may be stored as well. */
function interrupted(sent: number, points: number, lastMs: number): string {
  const rest = t('Upload the file again for the rest; no point is stored twice.');
  if (sent === 0) return `${t('Perhaps no point was stored.')} ${rest}`;
  const date = formatDate(lastMs / 1000);
  return `${many(points, '{sent} of {n} point is stored, up to {date}.', '{sent} of {n} points are stored, up to {date}.', { sent, date })} ${rest}`;
}

function outcome(points: number, before: number, after: number): string {
  if (after === 0) {
    const sent = many(points, '{n} point was sent to the triggers.', '{n} points were sent to the triggers.');
    return `${sent} ${t('This sensor keeps no data.')}`;
  }
  const kept = Math.min(points, after);
  if (kept < points) {
    return many(
      kept,
      '{n} of {all} points is stored: the sensor keeps no older ones.',
      '{n} of {all} points are stored: the sensor keeps no older ones.',
      { all: points },
    );
  }
  const replaced = points - Math.max(0, after - before);
  const text = many(kept, '{n} point is stored.', '{n} points are stored.');
  if (replaced === 0) return text;
  return `${text} ${many(replaced, '{n} replaced an earlier value.', '{n} replaced earlier values.')}`;
}
