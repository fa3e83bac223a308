import { useState } from 'preact/hooks';
import { useDraft } from '../drafts';
import { sensorName } from '../format';
import { many, t } from '../language';
import { href, setQuery, usePlace } from '../router';
import { DialogButton } from '../ui/dialog';
import { Check, Choices } from '../ui/form';
import { Empty, Loaded, Page } from '../ui/page';
import { SensorSearch } from '../ui/sensor-search';
import type { Resource } from '../use-resource';
import { LabelFiles } from './forms';
import { columnsOf, type Row, type SensorColumn } from './sensors/columns';
import type { Sensor } from './sensors/load';
import { NewSensorButton, NoSensors } from './sensors/no-sensors';
import { Selection } from './sensors/selection';
import { SensorTable } from './sensors/sensor-table';
import { type Found, useFound } from './sensors/use-found';
import { useView, type View } from './sensors/view';
import { ViewButton } from './sensors/view-button';

type Whose = 'all' | 'mine' | 'shared';

/** The sensors that the user can see: a table with columns of choice, a search, and actions on many sensors. */
export function SensorsPage() {
  const [text, setText] = useState(usePlace().query.get('q') ?? '');
  const found = useFound(text);
  const isEmpty = found.data?.all.length === 0;
  const search = (next: string) => {
    setText(next);
    setQuery({ q: next, page: undefined });
  };
  return (
    <Page
      title={t('Sensors')}
      actions={
        <>
          {found.data && !isEmpty && (
            <>
              <a class="button" href={href(`/report?${new URLSearchParams({ q: text })}`)}>
                {t('Report|noun')}
              </a>
              <a class="button" href={href('/connect')}>
                {t('Connect a device')}
              </a>
            </>
          )}
          <NewSensorButton kind="primary" />
        </>
      }
    >
      <Loaded resource={found}>
        {(data) => (isEmpty ? <NoSensors /> : <Sensors {...{ data, found, text, search }} />)}
      </Loaded>
    </Page>
  );
}

interface SensorsProps {
  data: Found;
  found: Resource<Found>;
  text: string;
  search: (text: string) => void;
}

function Sensors({ data, found, text, search }: SensorsProps) {
  const { query } = usePlace();
  const whose = (query.get('whose') ?? 'all') as Whose; // an unknown filter shows all
  const sensors = data.sensors.filter(({ owner }) => whose === 'all' || (whose === 'mine') === !owner);
  const [view, setView] = useView();
  const columns = columnsOf(data.tags, found.reload);
  const total = data.all.length;
  return (
    <div class="stack">
      <div class="line spread top-aligned">
        <SensorSearch value={text} onValue={search} found={found} />
        <div class="line">
          <Choices<Whose>
            label={t('Whose')}
            value={whose}
            options={[
              ['all', t('All')],
              ['mine', t('Mine')],
              ['shared', t('Shared with me')],
            ]}
            onValue={(value) => setQuery({ whose: value === 'all' ? undefined : value, page: undefined })}
          />
          <DialogButton text={t('Labels …')} title={t('Labels as a file')}>
            {(close) => (
              <LabelFiles
                all={data.all}
                found={sensors}
                {...{ tags: data.tags, close }}
                columns={view.columns}
                reload={found.reload}
              />
            )}
          </DialogButton>
          <ViewButton columns={columns} view={view} onView={setView} order={orderIn(query)} onOrder={setOrder} />
        </div>
      </div>
      <List {...{ sensors, columns, view, text, total }} query={data.query} reload={found.reload} />
    </div>
  );
}

/** The order of the address, otherwise what fires comes first. */
function orderIn(query: URLSearchParams): string {
  return query.get('sort') ?? 'state';
}

function setOrder(order: string): void {
  setQuery({ sort: order, page: undefined });
}

interface ListProps {
  sensors: readonly Sensor[];
  columns: readonly SensorColumn[];
  view: View;
  query: Found['query'];
  text: string;
  /** The number of all sensors. */
  total: number;
  reload: () => void;
}

function List({ sensors, columns, view, query, text, total, reload }: ListProps) {
  const [chosen, setChosen] = useDraft<readonly string[]>('selection', []);
  // What a search does not find stays selected, and is not acted on.
  const ids = new Set(sensors.map(({ id }) => id));
  const selected = chosen.filter((id) => ids.has(id));
  const select = (next: readonly string[]) => setChosen([...chosen.filter((id) => !ids.has(id)), ...next]);
  const { length } = sensors;
  return (
    <>
      <div class={`bulk line spread ${selected.length > 0 ? 'is-open' : ''}`}>
        {length > 0 && <Selection {...{ sensors, selected, select, query, text, reload }} />}
        <p class="quiet small" role="status">
          {length === total
            ? many(total, '{n} sensor', '{n} sensors')
            : many(total, '{found} of {n} sensor', '{found} of {n} sensors', { found: length })}
        </p>
      </div>
      {length === 0 ? (
        <Empty title={t('Nothing found')}>
          <p>{t('No sensor matches all parts of the search.')}</p>
        </Empty>
      ) : (
        <Rows {...{ sensors, columns, view, selected, select }} />
      )}
    </>
  );
}

interface RowsProps extends Pick<ListProps, 'sensors' | 'columns' | 'view'> {
  selected: readonly string[];
  select: (ids: readonly string[]) => void;
}

function Rows({ sensors, columns, view: { columns: keys, size, isCompact }, selected, select }: RowsProps) {
  const { query } = usePlace();
  const isSelected = new Set(selected);
  const box = ({ sensor }: Row) => (
    <Check
      label={<span class="only-read">{t('Select {name}', { name: sensorName(sensor) })}</span>}
      checked={isSelected.has(sensor.id)}
      onChecked={(on) => select(on ? [...selected, sensor.id] : selected.filter((id) => id !== sensor.id))}
    />
  );
  return (
    <SensorTable
      {...{ sensors, columns, keys, size, isCompact }}
      before={[{ name: t('Selected'), cell: box, isBox: true }]}
      order={orderIn(query)}
      onOrder={setOrder}
      page={Number(query.get('page')) || 0}
      onPage={(next) => setQuery({ page: next ? String(next) : undefined })}
    />
  );
}
