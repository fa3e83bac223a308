import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../api';
import { formatAge, sensorName } from '../format';
import { many, t } from '../language';
import { href, setQuery, usePlace } from '../router';
import { DangerButton, DialogButton } from '../ui/dialog';
import { Search } from '../ui/filters';
import { Form } from '../ui/form';
import { Empty, Loaded, Page } from '../ui/page';
import { PickSensors } from '../ui/pick-sensors';
import { Pages, Table } from '../ui/table';
import { say } from '../ui/toast';
import { useResource } from '../use-resource';
import { useNames } from './names';

type Series = Records['SeriesView'];

const SIZE = 25;

/** The names by which agents and devices report data, and the sensors that they lead to. */
export function SeriesPage() {
  const sensor = usePlace().query.get('sensor') ?? undefined;
  const series = useResource(`series of ${sensor}`, () => loadSeries(sensor));
  return (
    <Page
      title={t('Series')}
      lead={series.data && series.data.length > 0 && many(series.data.length, '{n} name', '{n} names')}
      crumb={
        sensor ? { path: `/sensors/${sensor}/about`, name: t('The sensor') } : { path: '/sensors', name: t('Sensors') }
      }
      actions={
        <a class="button" href={href('/connect')}>
          {t('Connect a device')}
        </a>
      }
    >
      <p class="quiet">
        {t(
          'Agents and devices name what they send. The first point of a name creates a sensor; you can point the name at another sensor.',
        )}
      </p>
      <Loaded resource={series}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('No series yet')}>
              <p>{t('They appear when an agent or a device sends data in its own protocol.')}</p>
            </Empty>
          ) : (
            <List list={list} reload={series.reload} />
          )
        }
      </Loaded>
    </Page>
  );
}

function loadSeries(sensor_id: string | undefined): Promise<Series[]> {
  return all(async (page) => {
    const query = { ...page, ...(sensor_id !== undefined && { sensor_id }) };
    return (await ask(api.get('/series', { params: { query } }))).series;
  });
}

function List({ list, reload }: { list: readonly Series[]; reload: () => void }) {
  const { query } = usePlace();
  const names = useNames();
  const page = Number(query.get('page')) || 0;
  const text = query.get('q') ?? '';
  const wanted = text.trim().toLowerCase();
  const sensorOf = ({ sensor_id }: Series) => names.sensors.get(sensor_id) ?? t('Sensor {id}', { id: sensor_id });
  const found = list.filter((one) => `${one.name} ${one.source} ${sensorOf(one)}`.toLowerCase().includes(wanted));
  const shown = found.slice(page * SIZE, (page + 1) * SIZE);
  return (
    <div class="stack">
      <div>
        <Search
          label={t('Find series')}
          placeholder={t('Name, protocol or sensor')}
          value={text}
          onValue={(q) => setQuery({ q, page: undefined })}
        />
      </div>
      {found.length < list.length && (
        <p class="quiet small" role="status">
          {many(list.length, '{found} of {n} name', '{found} of {n} names', { found: found.length })}
        </p>
      )}
      <Rows series={shown} sensorOf={sensorOf} reload={reload} />
      <Pages
        page={page}
        size={SIZE}
        count={shown.length}
        total={found.length}
        onPage={(next) => setQuery({ page: next ? String(next) : undefined })}
      />
    </div>
  );
}

interface RowsProps {
  series: readonly Series[];
  sensorOf: (series: Series) => string;
  reload: () => void;
}

function Rows({ series, sensorOf, reload }: RowsProps) {
  return (
    <Table<Series>
      caption={t('Series')}
      rows={series}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('Name'),
          cell: ({ name, source }) => (
            <div>
              <strong class="breakable">{name}</strong>
              <div class="small quiet">{source}</div>
            </div>
          ),
        },
        {
          name: t('Sensor'),
          cell: (one) => (
            <a class="breakable" href={href(`/sensors/${one.sensor_id}`)}>
              {sensorOf(one)}
            </a>
          ),
        },
        {
          name: t('Last point'),
          cell: ({ last }) => (last === null ? <span class="quiet">{t('none')}</span> : formatAge(last)),
        },
        { name: t('Actions'), right: true, cell: (one) => <Actions series={one} reload={reload} /> },
      ]}
    />
  );
}

function Actions({ series, reload }: { series: Series; reload: () => void }) {
  const { id, name } = series;
  const params = { path: { id } };
  return (
    <div class="actions">
      <DialogButton
        text={t('Change sensor')}
        title={t('Change the sensor')}
        kind="small-button"
        label={t('Change sensor: {name}', { name })}
      >
        {(close) => <Lead series={series} reload={reload} close={close} />}
      </DialogButton>
      <DangerButton
        text={t('Forget')}
        kind="danger small-button"
        label={t('Forget {name}', { name })}
        title={t('Forget this name?')}
        consequence={t('The sensor and its data stay. If the name arrives again, it creates another sensor.')}
        act={async () => {
          await ask(api.delete('/series/{id}', { params }));
          reload();
        }}
      />
    </div>
  );
}

/** Chooses one sensor: the one that was ticked last. */
function Lead({ series, reload, close }: { series: Series; reload: () => void; close: () => void }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [sensor_id] = chosen;
  const submit = async () => {
    if (sensor_id === undefined) return;
    await ask(api.put('/series/{id}', { params: { path: { id: series.id } }, body: { sensor_id } }));
    say(t('New points go to this sensor.'));
    reload();
    close();
  };
  return (
    <Form label={t('Save')} submit={submit} onCancel={close} ready={sensor_id !== undefined}>
      <p class="breakable">
        <strong>{series.name}</strong>
      </p>
      <PickSensors
        label={t('New points go to')}
        mine
        except={[series.sensor_id]}
        chosen={chosen}
        onChosen={(ids) => setChosen(ids.slice(-1))}
        nameOf={(sensor) => t('{name}, id {id}', { name: sensorName(sensor), id: sensor.id })}
      />
      <p class="quiet">{t('Stored points stay where they are.')}</p>
    </Form>
  );
}
