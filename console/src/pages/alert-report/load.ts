import { api, ask, type Records } from '../../api';
import { TIME_ZONE } from '../../format';
import { loadTriggers } from '../names';

type Answer = Records['NoiseResponse'];
/** With the severities of the user's triggers, by their ids, if its rows are triggers. */
export type Noise = Answer & { severities: ReadonlyMap<string, Records['Severity']> };
export type NoiseRow = Answer['rows'][number];
export type By = Answer['by'];

const MOST_ROWS = 1_000;

export async function loadNoise(
  asked: { start_date: number; end_date: number; by: By },
  signal: AbortSignal,
): Promise<Noise> {
  const query = { ...asked, timezone: TIME_ZONE, per_page: MOST_ROWS };
  const [noise, triggers] = await Promise.all([
    ask(api.get('/reports/alerts', { params: { query }, signal })),
    asked.by === 'trigger' ? loadTriggers() : [],
  ]);
  return { ...noise, severities: new Map(triggers.map(({ id, severity }) => [id, severity])) };
}
