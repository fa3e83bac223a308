import { t } from '../language';
import { href, setQuery, usePlace } from '../router';
import { byName, Narrow, Search } from '../ui/filters';
import { Choices } from '../ui/form';
import { Empty, Loaded, Page } from '../ui/page';
import { Pages } from '../ui/table';
import { useResource } from '../use-resource';
import { AlertList } from './alerts/alert-list';
import {
  type AlertFilter,
  type Grouping,
  groupsOf,
  loadTags,
  MOST_OPEN,
  PAGE_SIZE,
  SEVERITY_NAMES,
  type State,
  type Tags,
  useAlerts,
} from './alerts/load';
import { type Names, useNames } from './names';
import { NONE_KNOWN, StandstillLine } from './overview/lists';
import { loadStandstill } from './overview/load';

const SELDOM_MS = 60_000;
const NO_TAGS: Tags = new Map();

/** The user's alerts, open and ended: filtered, grouped, and acted on, many at once. */
export function AlertsPage() {
  const { query } = usePlace();
  const filter = readFilter(query);
  const by = (query.get('by') ?? '') as Grouping; // an unknown one is a metatag that no sensor has
  const names = useNames();
  const tags = useResource('tags', loadTags).data ?? NO_TAGS;
  const alerts = useAlerts(filter);
  const standstill = useResource('standstill', loadStandstill, { everyMs: SELDOM_MS }).data;
  return (
    <Page
      title={t('Alerts')}
      lead={t('What your triggers have found.')}
      actions={
        <a class="button" href={href('/mutes')}>
          {t('Mutes')}
        </a>
      }
    >
      <div class="stack">
        {standstill && <StandstillLine {...standstill} />}
        <Filters filter={filter} by={by} names={names} tags={tags} />
        <Loaded resource={alerts}>
          {({ alerts: list, count, total }) =>
            list.length === 0 ? (
              <NoAlerts filter={filter} isStill={standstill !== undefined} />
            ) : (
              <>
                <AlertList
                  groups={by === '' ? [{ name: '', alerts: list }] : groupsOf(list, by, names, tags)}
                  names={names}
                />
                {filter.state === 'firing' ? (
                  total > MOST_OPEN && <p class="quiet">{t('Only the latest alerts are shown: filter them.')}</p>
                ) : (
                  <Pages
                    page={filter.page}
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

/** The platform refuses unknown filters. */
function readFilter(query: URLSearchParams): AlertFilter {
  return {
    state: (query.get('state') ?? 'firing') as State,
    severity: (query.get('severity') ?? undefined) as AlertFilter['severity'],
    trigger: query.get('trigger') ?? undefined,
    search: query.get('q') ?? '',
    page: Number(query.get('page')) || 0,
  };
}

interface FiltersProps {
  filter: AlertFilter;
  by: Grouping;
  names: Names;
  tags: Tags;
}

function Filters({ filter, by, names, tags }: FiltersProps) {
  const set = (name: string) => (value: string) => setQuery({ [name]: value || undefined, page: undefined });
  const tagNames = [...new Set([...tags.values()].flatMap(Object.keys))].sort();
  const severities = Object.entries(SEVERITY_NAMES).map(([key, text]) => [key, t(text)] as const);
  return (
    <div class="filters">
      <Choices<State>
        label={t('State')}
        value={filter.state}
        options={[
          ['firing', t('Firing|state')],
          ['resolved', t('Resolved')],
          ['all', t('All')],
        ]}
        onValue={(value) => set('state')(value === 'firing' ? '' : value)}
      />
      <Search label={t('Search')} placeholder={t('Trigger or sensor')} value={filter.search} onValue={set('q')} />
      <Narrow
        label={t('Severity')}
        value={filter.severity ?? ''}
        onValue={set('severity')}
        options={[['', t('Any severity')], ...severities]}
      />
      <Narrow
        label={t('Trigger')}
        value={filter.trigger ?? ''}
        onValue={set('trigger')}
        options={[['', t('Any trigger')], ...byName(names.triggers)]}
      />
      <Narrow
        label={t('Group by')}
        value={by}
        onValue={set('by')}
        options={[
          ['', t('Not grouped')],
          ['trigger', t('By trigger')],
          ['sensor', t('By sensor')],
          ['severity', t('By severity')],
          ...tagNames.map((name) => [`tag:${name}`, t('By {name}', { name })] as const),
        ]}
      />
    </div>
  );
}

function NoAlerts({ filter, isStill }: { filter: AlertFilter; isStill: boolean }) {
  const { state, severity, trigger, search } = filter;
  if (severity || trigger || search) {
    return (
      <Empty title={t('Nothing found')}>
        <button
          type="button"
          class="button"
          onClick={() => setQuery({ severity: undefined, trigger: undefined, q: undefined })}
        >
          {t('Remove the filters')}
        </button>
      </Empty>
    );
  }
  if (isStill && state === 'firing') return <p class="quiet">{t(NONE_KNOWN)}</p>;
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
