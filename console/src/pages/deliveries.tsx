import { api, ask, type Records } from '../api';
import { nameOf } from '../destination';
import { formatAge, formatDate } from '../format';
import { t } from '../language';
import { setQuery, usePlace } from '../router';
import { DownloadCsv } from '../ui/download-csv';
import { byName, Filters, Narrow } from '../ui/filters';
import { Choices } from '../ui/form';
import { Breaks, Empty, Loaded, Page } from '../ui/page';
import { Pages, Table } from '../ui/table';
import { useResource } from '../use-resource';
import { Took } from './deliveries/stages';
import { DeliveryProblem, DeliveryStatus, Redeliver } from './deliveries/status';
import { DeliverySubject } from './deliveries/summary';
import { useDestinations } from './deliveries/use-destinations';
import { type Names, useNames } from './names';
import { useNotifications } from './notifications/load';
import { Unheard } from './unheard';

type Delivery = Records['DeliveryView'];
type Status = Records['DeliveryStatus'];
const SIZE = 25;

/** The filters in the address: a name of the API's parameters, each with its value. */
const FILTERS = ['status', 'notification', 'sensor', 'trigger'] as const;
type Chosen = Partial<Record<(typeof FILTERS)[number], string>>;

/** Deliveries: sent, pending and failed. */
export function DeliveriesPage() {
  const { query } = usePlace();
  const filters: Chosen = Object.fromEntries(FILTERS.flatMap((name) => [[name, query.get(name) ?? ''] as const]));
  const page = Number(query.get('page')) || 0;
  const deliveries = useDeliveries(filters, page);
  const names = useNames();
  return (
    <Page
      title={t('Deliveries')}
      lead={t('Every mail and every call of a URL, with how long each stage took.')}
      actions={<DownloadCsv path="deliveries" query={{ ...narrowed(filters), sort: 'DESC' }} />}
    >
      <div class="stack">
        <FilterLine filters={filters} names={names} />
        <Unheard ids={names.unheard} names={names} />
        <Loaded resource={deliveries}>
          {({ deliveries: list, total }) =>
            list.length === 0 ? (
              <NoDeliveries filters={filters} />
            ) : (
              <>
                <List list={list} names={names} reload={deliveries.reload} />
                <Pages
                  page={page}
                  size={SIZE}
                  count={list.length}
                  total={total}
                  onPage={(next) => setQuery({ page: next ? String(next) : undefined })}
                />
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  );
}

/** What digests hold is listed in them, except where a sensor or a trigger is looked for. */
function narrowed({ status, notification, sensor, trigger }: Chosen) {
  return {
    ...(status && { status: status as Status }), // the platform refuses unknown filters
    ...(notification && { notification_id: notification }),
    ...(sensor && { sensor_id: sensor }),
    ...(trigger && { trigger_id: trigger }),
    ...(!sensor && !trigger && { aggregated: false }),
  };
}

function useDeliveries(filters: Chosen, page: number) {
  return useResource(
    `deliveries ${JSON.stringify(filters)} ${page}`,
    (signal) => {
      const query = { page, per_page: SIZE, total: true, sort: 'DESC' as const, ...narrowed(filters) };
      return ask(api.get('/deliveries', { params: { query }, signal }));
    },
    { everyMs: 5_000 },
  );
}

function FilterLine({ filters, names: { sensors, triggers } }: { filters: Chosen; names: Names }) {
  const notifications = new Map((useNotifications().data ?? []).map((one) => [one.id, nameOf(one)]));
  const set = (name: keyof Chosen) => (value: string) => setQuery({ [name]: value || undefined, page: undefined });
  const statuses = (['pending', 'delivered', 'failed'] as const).map((one) => [one, t(one)] as const);
  return (
    <Filters
      first={
        <Choices
          label={t('Status')}
          value={filters.status}
          options={[['', t('All')], ...statuses]}
          onValue={set('status')}
        />
      }
      chosen={[filters.sensor, filters.trigger, filters.notification].filter(Boolean).length}
    >
      <Narrow
        label={t('Sensor')}
        value={filters.sensor ?? ''}
        options={[['', t('Any sensor')], ...byName(sensors)]}
        onValue={set('sensor')}
      />
      <Narrow
        label={t('Trigger')}
        value={filters.trigger ?? ''}
        options={[['', t('Any trigger')], ...byName(triggers)]}
        onValue={set('trigger')}
      />
      <Narrow
        label={t('Notification')}
        value={filters.notification ?? ''}
        options={[['', t('Any notification')], ...byName(notifications)]}
        onValue={set('notification')}
      />
    </Filters>
  );
}

function NoDeliveries({ filters }: { filters: Chosen }) {
  const isNarrowed = Object.values(filters).some(Boolean);
  return (
    <Empty title={isNarrowed ? t('Nothing found') : t('Nothing was sent yet')}>
      {isNarrowed ? (
        <button
          type="button"
          class="button"
          onClick={() => setQuery(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
        >
          {t('Remove the filters')}
        </button>
      ) : (
        <p>{t('A delivery is made when a trigger fires, an event happens, or a notification is tested.')}</p>
      )}
    </Empty>
  );
}

function List({ list, names, reload }: { list: readonly Delivery[]; names: Names; reload: () => void }) {
  const destinationOf = useDestinations();
  return (
    <Table<Delivery>
      caption={t('Deliveries')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('What'),
          cell: (one) => (
            <>
              <DeliverySubject delivery={one} names={names} />
              <DeliveryProblem delivery={one} />
              <Redeliver delivery={one} onDone={reload} />
            </>
          ),
        },
        {
          name: t('To'),
          cell: (one) => (
            <div class="receiver two-lines" title={destinationOf(one)}>
              <Breaks text={destinationOf(one)} />
            </div>
          ),
        },
        { name: t('Status'), isCorner: true, cell: (one) => <DeliveryStatus delivery={one} /> },
        { name: t('Took'), cell: ({ timing }) => <Took timing={timing} /> },
        {
          name: t('Created'),
          cell: ({ created }) => (
            <span class="nowrap" title={formatDate(created)}>
              {formatAge(created)}
            </span>
          ),
        },
      ]}
    />
  );
}
