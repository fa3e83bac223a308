import { api, ask, type Records } from '../api';
import { formatAge, formatDate, formatMs } from '../format';
import { href, setQuery, usePlace } from '../router';
import { Choices } from '../ui/form';
import { Empty, Loaded, Page } from '../ui/page';
import { Pages, Table } from '../ui/table';
import { useResource } from '../use-resource';
import { Stages, StagesKey, totalMs } from './deliveries/stages';
import { DeliveryStatus, Redeliver } from './deliveries/status';
import { summaryOf } from './deliveries/summary';
import { useDestinations } from './deliveries/use-destinations';

type Delivery = Records['DeliveryView'];
type Filter = 'all' | Records['DeliveryStatus'];
const SIZE = 25;

/** Deliveries: sent, pending and failed. */
export function DeliveriesPage() {
  const { query } = usePlace();
  const filter = (query.get('status') ?? 'all') as Filter; // the platform refuses unknown filters
  const notification = query.get('notification') ?? undefined;
  const page = Number(query.get('page')) || 0;
  const deliveries = useDeliveries(filter, notification, page);
  return (
    <Page title="Deliveries" lead="Every mail and every call of a URL, with how long each stage took.">
      <Filters filter={filter} isOfOne={notification !== undefined} />
      <Loaded resource={deliveries}>
        {({ deliveries: list, total }) =>
          list.length === 0 ? (
            <Empty title={filter === 'all' ? 'Nothing was sent yet' : `No ${filter} deliveries`}>
              <p>A delivery is made when a trigger fires, an event happens, or a notification is tested.</p>
            </Empty>
          ) : (
            <div class="stack">
              <StagesKey />
              <List list={list} reload={deliveries.reload} />
              <Pages
                page={page}
                size={SIZE}
                count={list.length}
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

function useDeliveries(filter: Filter, notification: string | undefined, page: number) {
  return useResource(
    `deliveries ${filter} ${notification} ${page}`,
    (signal) => {
      const narrowed = {
        ...(filter !== 'all' && { status: filter }),
        ...(notification && { notification_id: notification }),
      };
      const query = { page, per_page: SIZE, total: true, sort: 'DESC' as const, ...narrowed };
      return ask(api.get('/deliveries', { params: { query }, signal }));
    },
    { everyMs: 5_000 },
  );
}

function Filters({ filter, isOfOne }: { filter: Filter; isOfOne: boolean }) {
  return (
    <div class="line">
      <Choices<Filter>
        label="Status"
        value={filter}
        options={[
          ['all', 'All'],
          ['pending', 'Pending'],
          ['delivered', 'Delivered'],
          ['failed', 'Failed'],
        ]}
        onValue={(value) => setQuery({ status: value === 'all' ? undefined : value, page: undefined })}
      />
      {isOfOne && (
        <button type="button" class="button small-button" onClick={() => setQuery({ notification: undefined })}>
          Of one notification only ×
        </button>
      )}
    </div>
  );
}

function List({ list, reload }: { list: readonly Delivery[]; reload: () => void }) {
  const destinationOf = useDestinations();
  return (
    <Table<Delivery>
      caption="Deliveries"
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'To',
          cell: (one) => (
            <div>
              <a class="strong breakable" href={href(`/deliveries/${one.id}`)}>
                {destinationOf(one)}
              </a>
              <div class="small quiet breakable">{summaryOf(one)}</div>
            </div>
          ),
        },
        { name: 'Status', cell: (one) => <DeliveryStatus delivery={one} /> },
        {
          name: 'Stages',
          cell: (one) => (
            <div class="stage-cell">
              <Stages timing={one.timing} />
              <span class="small quiet numbers">{shown(totalMs(one.timing))}</span>
            </div>
          ),
        },
        { name: 'Created', cell: ({ created }) => <span title={formatDate(created)}>{formatAge(created)}</span> },
        { name: 'Actions', right: true, cell: (one) => <Redeliver delivery={one} onDone={reload} /> },
      ]}
    />
  );
}

function shown(ms: number | undefined): string {
  return ms === undefined ? '' : formatMs(ms);
}
