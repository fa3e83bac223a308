import { api, ask } from '../../api';
import type { NewPoint } from './csv';

const BATCH = 5_000;

/** Uploads points in batches, and says before each but the first how many are stored. The same again changes nothing. */
export async function sendPoints(
  id: string,
  points: readonly NewPoint[],
  onSent: (sent: number) => void = () => {},
): Promise<void> {
  await ask(api.upload(id, counted(points, onSent), { size: BATCH }));
}

function* counted(points: readonly NewPoint[], onSent: (sent: number) => void) {
  for (const [at, { date, value }] of points.entries()) {
    if (at > 0 && at % BATCH === 0) onSent(at);
    yield { date: Math.round(date * 1000) / 1000, value };
  }
}
