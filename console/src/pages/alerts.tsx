import { api, ask } from '../api';
import { firingsChanged, useFirings } from '../firing-stream';
import { href, setQuery, usePlace } from '../router';
import { Choices } from '../ui/form';
import { Empty, Loaded, Page } from '../ui/page';
import { Pages } from '../ui/table';
import { useResource } from '../use-resource';
import { AlertRows } from './alerts/alert-rows';
import { useNames } from './names';

type Filter = 'firing' | 'resolved' | 'all';
const SIZE = 25;

/** The user's alerts, open and ended. */
export function AlertsPage() {
  const { query } = usePlace();
  const filter = (query.get('state') ?? 'firing') as Filter; // the platform refuses unknown filters
  const page = Number(query.get('page')) || 0;
  const names = useNames();
  const alerts = useAlerts(filter, page);
  return (
    <Page
      title="Alerts"
      lead="What your triggers have found."
      actions={
        <a class="button" href={href('/mutes')}>
          Mutes
        </a>
      }
    >
      <Filters filter={filter} />
      <Loaded resource={alerts}>
        {({ firings, total }) =>
          firings.length === 0 ? (
            <NoAlerts filter={filter} />
          ) : (
            <div class="stack">
              <AlertRows firings={firings} names={names} reload={firingsChanged} />
              <Pages
                page={page}
                size={SIZE}
                count={firings.length}
                total={total}
                onPage={(next) => setQuery({ page: next ? String(next) : undefined })}
              />
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

function useAlerts(filter: Filter, page: number) {
  const alerts = useResource(
    `alerts ${filter} ${page}`,
    (signal) => {
      const state = filter === 'all' ? {} : { state: filter };
      const query = { ...state, sort: 'DESC' as const, page, per_page: SIZE, total: true };
      return ask(api.get('/firings', { params: { query }, signal }));
    },
    { everyMs: 10_000 },
  );
  useFirings(alerts.reload);
  return alerts;
}

function Filters({ filter }: { filter: Filter }) {
  return (
    <Choices<Filter>
      label="State"
      value={filter}
      options={[
        ['firing', 'Firing'],
        ['resolved', 'Resolved'],
        ['all', 'All'],
      ]}
      onValue={(value) => setQuery({ state: value === 'firing' ? undefined : value, page: undefined })}
    />
  );
}

function NoAlerts({ filter }: { filter: Filter }) {
  return (
    <Empty title={filter === 'firing' ? 'All is well' : 'Nothing here'}>
      <p>
        {filter === 'firing'
          ? 'No alert is firing. New ones appear here by themselves.'
          : 'No alert of this kind is kept.'}
      </p>
    </Empty>
  );
}
