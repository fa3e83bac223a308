import { api, ask, type Records } from '../../api';
import { TIME_ZONE } from '../../format';

export type Noise = Records['NoiseResponse'];
export type NoiseRow = Noise['rows'][number];
export type By = Noise['by'];

const MOST_ROWS = 1_000;

export function loadNoise(
  asked: { start_date: number; end_date: number; by: By },
  signal: AbortSignal,
): Promise<Noise> {
  const query = { ...asked, timezone: TIME_ZONE, per_page: MOST_ROWS };
  return ask(api.get('/reports/alerts', { params: { query }, signal }));
}
