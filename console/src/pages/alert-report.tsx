import { TIME_ZONE } from '../format';
import { type PlainText, t } from '../language';
import { setQuery, usePlace } from '../router';
import { DownloadCsv } from '../ui/download-csv';
import { Select } from '../ui/form';
import { Empty, Loaded, Page } from '../ui/page';
import { RangeChoice, rangeOf } from '../ui/range-choice';
import { useResource } from '../use-resource';
import { NoiseDays, NoiseText } from './alert-report/days';
import { type By, loadNoise } from './alert-report/load';
import { NoiseTable } from './alert-report/noise-table';
import { Suggestions } from './alert-report/suggestions';
import { formatDay } from './report/load';

const ROWS: readonly (readonly [By, PlainText])[] = [
  ['trigger', 'By trigger'],
  ['sensor', 'By sensor'],
  ['notification', 'By notification'],
];

/** How much noise alerts made in a range, and suggestions for quieter rules. */
export function AlertReportPage() {
  const { query } = usePlace();
  const range = query.get('range') ?? 'days';
  const by = (query.get('by') ?? 'trigger') as By; // the platform refuses unknown ones
  const { from, to } = rangeOf(range);
  const asked = { start_date: from, end_date: to };
  const noise = useResource(`noise ${from} ${to} ${by}`, (signal) => loadNoise({ ...asked, by }, signal));
  return (
    <Page
      title={t('Report on alerts')}
      crumb={{ path: '/alerts', name: t('Alerts') }}
      lead={
        <>
          {formatDay(from)} – {formatDay(to, true)}, {TIME_ZONE}
        </>
      }
      actions={<DownloadCsv path="reports/alerts" query={{ ...asked, by }} />}
    >
      <div class="filters report-choices">
        <RangeChoice value={range} onValue={(value) => setQuery({ range: value })} />
        <Select
          label={t('Rows')}
          value={by}
          options={ROWS.map(([value, name]) => [value, t(name)])}
          onValue={(value) => setQuery({ by: value })}
        />
      </div>
      <Loaded resource={noise}>
        {(loaded) =>
          loaded.summary.episodes === 0 ? (
            <Empty title={t('No alerts in this period')} />
          ) : (
            <>
              <div class="stack">
                <NoiseText {...loaded.summary} />
                <NoiseDays days={loaded.days} />
              </div>
              <NoiseTable {...loaded} />
              <Suggestions {...{ from, to }} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
