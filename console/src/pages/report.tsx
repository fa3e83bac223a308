import { useState } from 'preact/hooks';
import { TIME_ZONE } from '../format';
import { type PlainText, t } from '../language';
import { setQuery, usePlace } from '../router';
import { DownloadCsv } from '../ui/download-csv';
import { Select } from '../ui/form';
import { Empty, Loaded, Page } from '../ui/page';
import { RangeChoice, rangeOf } from '../ui/range-choice';
import { SensorSearch } from '../ui/sensor-search';
import { useResource } from '../use-resource';
import { formatDay, type Length, loadReports } from './report/load';
import { ReportSummary } from './report/summary';
import { ReportTables } from './report/tables';
import { MOST_IDS, type Sensor } from './sensors/load';
import { type Found, useFound } from './sensors/use-found';

const LENGTHS: readonly (readonly [Length, PlainText])[] = [
  ['range', 'One per sensor'],
  ['day', 'By days'],
  ['week', 'By weeks'],
  ['month', 'By months'],
];

/** What happened on the sensors that a search finds, in a range: to read, print, sign and download. */
export function ReportPage() {
  const { query } = usePlace();
  const [text, setText] = useState(query.get('q') ?? '');
  const found = useFound(text);
  const range = query.get('range') ?? 'last-week';
  const by = (query.get('by') ?? 'range') as Length; // the platform refuses unknown ones
  const { from, to } = rangeOf(range);
  const sensors = found.data?.sensors ?? [];
  const asked = { start_date: from, end_date: to, by };
  const search = (next: string) => {
    setText(next);
    setQuery({ q: next || undefined });
  };
  return (
    <Page
      title={t('Report|noun')}
      crumb={{ path: `/sensors?${new URLSearchParams({ q: text })}`, name: t('Sensors') }}
      lead={
        <>
          {formatDay(from)} – {formatDay(to, true)}, {TIME_ZONE}
          {text && ` · ${text}`}
        </>
      }
      actions={
        sensors.length > 0 &&
        sensors.length <= MOST_IDS && (
          <>
            <DownloadCsv path="reports/sensors" query={{ ...asked, sensor_id: sensors.map(({ id }) => id) }} />
            <button type="button" class="button primary" onClick={() => window.print()}>
              {t('Print')}
            </button>
          </>
        )
      }
    >
      <div class="filters report-choices">
        <div class="field">
          <span class="label">{t('Sensors')}</span>
          <SensorSearch value={text} onValue={search} found={found} />
        </div>
        <RangeChoice value={range} onValue={(value) => setQuery({ range: value })} />
        <Select
          label={t('Rows')}
          value={by}
          options={LENGTHS.map(([length, name]) => [length, t(name)])}
          onValue={(value) => setQuery({ by: value })}
        />
      </div>
      <Loaded resource={found}>{(data) => <Reports {...{ data, asked }} />}</Loaded>
    </Page>
  );
}

type Asked = Parameters<typeof loadReports>[1];

function Reports({ data: { sensors }, asked }: { data: Found; asked: Asked }) {
  if (sensors.length === 0) return <Empty title={t('Nothing found')} />;
  if (sensors.length > MOST_IDS) {
    return <Empty title={t('{n} sensors are too many: narrow the search.', { n: sensors.length })} />;
  }
  return <ReportsOn {...{ sensors, asked }} />;
}

function ReportsOn({ sensors, asked }: { sensors: readonly Sensor[]; asked: Asked }) {
  const ids = sensors.map(({ id }) => id);
  const reports = useResource(`report ${ids} ${JSON.stringify(asked)}`, (signal) => loadReports(ids, asked, signal));
  return (
    <Loaded resource={reports}>
      {(loaded) => (
        <div class="stack report">
          <ReportSummary {...{ sensors }} reports={loaded} />
          <ReportTables {...{ sensors, by: asked.by }} reports={loaded} />
          <div class="signature">
            <span>{t('Date')}</span>
            <span>{t('Signature')}</span>
          </div>
        </div>
      )}
    </Loaded>
  );
}
