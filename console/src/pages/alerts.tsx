import { t } from '../language';
import { href, setQuery, usePlace } from '../router';
import { DownloadCsv } from '../ui/download-csv';
import { Empty, Loaded, Page } from '../ui/page';
import { Pages } from '../ui/table';
import { useResource } from '../use-resource';
import { AlertList } from './alerts/alert-list';
import { AlertFilters } from './alerts/filters';
import { groupingOf, groupsOf, loadTags, type Tags } from './alerts/groups';
import { type AlertFilter, filtersOf, isOpenState, MOST_OPEN, PAGE_SIZE, type State, useAlerts } from './alerts/load';
import { Totals } from './alerts/totals';
import { useNames, withFired } from './names';
import { NONE_KNOWN, StandstillLine } from './overview/lists';
import { loadStandstill } from './overview/load';

const SELDOM_MS = 60_000;
const NO_TAGS: Tags = new Map();

/** The user's alerts, open and ended: filtered, grouped, and acted on, many at once. */
export function AlertsPage() {
  const { query } = usePlace();
  const filter = readFilter(query);
  const known = useNames();
  const tags = useResource('tags', loadTags).data ?? NO_TAGS;
  const alerts = useAlerts(filter);
  const names = withFired(
    known,
    (alerts.data?.alerts ?? []).flatMap(({ latest, behind }) => [latest, ...behind.map((one) => one.latest)]),
  );
  const by = groupingOf(query.get('by'), alerts.data?.alerts.length ?? 0);
  const standstill = useResource('standstill', loadStandstill, { everyMs: SELDOM_MS }).data;
  return (
    <Page
      title={t('Alerts')}
      lead={t('What your triggers have found.')}
      actions={
        <>
          <DownloadCsv path="firings" query={filtersOf(filter)} />
          <a class="button" href={href('/reports/alerts')}>
            {t('Report|noun')}
          </a>
          <a class="button" href={href('/mutes')}>
            {t('Mutes')}
          </a>
        </>
      }
    >
      <div class="stack">
        {standstill && <StandstillLine {...standstill} />}
        <AlertFilters {...{ filter, by, names, tags }} />
        <Loaded resource={alerts}>
          {({ alerts: list, count, total }) =>
            list.length === 0 ? (
              <NoAlerts filter={filter} isStill={standstill !== undefined} />
            ) : (
              <>
                {!isOpenState(filter.state) && <Totals filter={filter} />}
                <AlertList groups={groupsOf(list, by, names, tags)} by={by} names={names} />
                {isOpenState(filter.state) ? (
                  total > MOST_OPEN && <p class="quiet">{t('Only the latest alerts are shown: filter them.')}</p>
                ) : (
                  <Pages
                    page={filter.page ?? 0}
                    size={PAGE_SIZE}
                    count={count}
                    total={total}
                    onPage={(next) => setQuery({ page: next ? String(next) : undefined })}
                  />
                )}
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  );
}

const NO_FILTERS = {
  ...{ severity: undefined, trigger: undefined, group: undefined, q: undefined },
  ...{ span: undefined, from: undefined, to: undefined },
};

/** The platform refuses unknown filters. */
function readFilter(query: URLSearchParams): AlertFilter {
  return {
    state: (query.get('state') ?? 'firing') as State,
    severity: (query.get('severity') ?? undefined) as AlertFilter['severity'],
    trigger: query.get('trigger') ?? undefined,
    group: query.get('group') ?? undefined,
    period: readPeriod(query),
    search: query.get('q') ?? '',
    page: Number(query.get('page')) || 0,
  };
}

function readPeriod(query: URLSearchParams): AlertFilter['period'] {
  const [span = 0, from = 0, to = 0] = ['span', 'from', 'to'].map((name) => Number(query.get(name)) || 0);
  if (span > 0) return { span };
  return from > 0 && to > from ? { from, to } : undefined;
}

function NoAlerts({ filter, isStill }: { filter: AlertFilter; isStill: boolean }) {
  const { state, severity, trigger, group, search, period } = filter;
  if (severity || trigger || group || search || period) {
    return (
      <Empty title={t('Nothing found')}>
        <button type="button" class="button" onClick={() => setQuery(NO_FILTERS)}>
          {t('Remove the filters')}
        </button>
      </Empty>
    );
  }
  if (isStill && isOpenState(state)) return <p class="quiet">{t(NONE_KNOWN)}</p>;
  return (
    <Empty title={state === 'firing' ? t('All is well') : t('Nothing here')}>
      <p>
        {state === 'firing'
          ? t('No alert is firing. New ones appear here by themselves.')
          : t('There are no alerts of this kind.')}
      </p>
    </Empty>
  );
}
