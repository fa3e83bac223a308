import { api, ask } from '../../api';
import { formatDuration } from '../../format';
import { many, t } from '../../language';
import { useResource } from '../../use-resource';
import { type AlertFilter, episodesOf, filtersOf, MOST_OPEN } from './load';
import { sumsOf } from './sums';

/** What the alerts of all pages of a filter were together, as far as one request reads them. */
export function Totals({ filter }: { filter: AlertFilter }) {
  const query = { ...filtersOf(filter), per_page: MOST_OPEN, total: true };
  const { data } = useResource(`totals ${JSON.stringify({ ...filter, page: 0 })}`, (signal) =>
    ask(api.get('/firings', { params: { query }, signal })),
  );
  if (!data) return <p class="quiet small">…</p>;
  const { total = 0, firings } = data;
  const { alerts: n, triggers, sensors, longest, median } = sumsOf(episodesOf(firings), Date.now() / 1000);
  const counted = total > firings.length ? t('the latest {n} alerts', { n }) : many(n, '{n} alert', '{n} alerts');
  const facts = [
    `${counted} ${many(triggers, 'of {n} trigger', 'of {n} triggers')} ${many(sensors, 'on {n} sensor', 'on {n} sensors')}`,
    longest !== undefined && t('longest {time}', { time: formatDuration(longest) }),
    median !== undefined && t('median {time}', { time: formatDuration(median) }),
  ];
  return <p class="quiet small">{facts.filter(Boolean).join(' · ')}</p>;
}
