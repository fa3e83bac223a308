import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { t } from '../../language';
import { href } from '../../router';
import { useResource } from '../../use-resource';
import type { NewKey } from './new-keys';

type Series = Records['SeriesView'];

const PAUSE_MS = 3_000;
const LONGEST_MS = 30 * 60_000;
const SHOWN = 20;

/** What a new key has brought. */
interface Arrivals {
  /** The latest series that were made since then, the newest first. */
  series: Series[];
  isUsed: boolean;
  /** Number of series of the user, which leads to the last page. */
  total: number;
}

/** Waits for what a new key brings, and shows the series and sensors that it makes. */
export function FirstMessage({ made, source }: { made: NewKey; source: string }) {
  const [until, setUntil] = useState(() => Date.now() + LONGEST_MS);
  const isWaiting = Date.now() < until;
  const { series = [], isUsed = false } = useArrivals(made, source, isWaiting) ?? {};
  return (
    <>
      <p class="line" role="status">
        <span class={isWaiting ? 'live on' : 'live'}>{wordsOf(series.length, isUsed, isWaiting)}</span>
        {!isWaiting && (
          <button type="button" class="button small-button" onClick={() => setUntil(Date.now() + LONGEST_MS)}>
            {t('Wait again')}
          </button>
        )}
      </p>
      {series.length > 0 && (
        <ul class="stack tight">
          {series.map(({ id, name, sensor_id }) => (
            <li key={id}>
              <a class="strong breakable" href={href(`/sensors/${sensor_id}`)}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
      {(series.length > 0 || isUsed) && <a href={href('/series')}>{t('All series')}</a>}
    </>
  );
}

function wordsOf(count: number, isUsed: boolean, isWaiting: boolean): string {
  if (count > 0) return t('The first message has arrived. New sensors appear here.');
  if (!isWaiting) return t('Nothing has arrived for half an hour.');
  if (isUsed) return t('The key is in use. No new name has arrived: the data belongs to series that you already have.');
  return t('Waiting for the first message …');
}

/** Asks every few seconds while it is waiting. The first answer says how many series there are, the next shows the last. */
function useArrivals(made: NewKey, source: string, isWaiting: boolean): Arrivals | undefined {
  const [before, setBefore] = useState(0);
  const arrivals = useResource<Arrivals>(
    `arrivals by ${made.id}`,
    async (signal) => {
      const query = { page: Math.max(0, Math.ceil(before / SHOWN) - 1), per_page: SHOWN, total: true };
      const [listed, { key }] = await Promise.all([
        ask(api.get('/series', { params: { query }, signal })),
        ask(api.get('/keys/{id}', { params: { path: { id: made.id } }, signal })),
      ]);
      const total = listed.total ?? 0;
      setBefore(total);
      const isNew = (one: Series) => one.source === source && one.created >= made.created;
      return { series: listed.series.filter(isNew).reverse(), isUsed: key.last_used !== null, total };
    },
    { ...(isWaiting && { everyMs: PAUSE_MS }) },
  );
  return arrivals.data;
}
