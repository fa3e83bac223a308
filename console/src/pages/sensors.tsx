import { useMemo, useState } from 'preact/hooks';
import { api, ask, type Records } from '../api';
import { formatCount, formatMany, sensorName } from '../format';
import { href, setQuery, usePlace } from '../router';
import { DialogButton } from '../ui/dialog';
import { Choices, textOf } from '../ui/form';
import { Empty, Loaded, Page } from '../ui/page';
import { Pages } from '../ui/table';
import { useResource } from '../use-resource';
import { findByMetatag, loadSensors, type Sensor } from './sensors/load';
import { NewSensor } from './sensors/new-sensor';
import { NoSensors } from './sensors/no-sensors';
import { SensorRows } from './sensors/sensor-rows';

const SIZE = 25;
type Whose = 'all' | 'mine' | 'shared';

/** The start page: the sensors that the user can see, each with its latest value and the last day before it. */
export function SensorsPage() {
  const { query } = usePlace();
  const text = query.get('q') ?? '';
  const whose = (query.get('whose') ?? 'all') as Whose; // an unknown filter shows all
  const page = Number(query.get('page')) || 0;
  const tag = /^([\w.-]+):(.+)$/.exec(text);
  const sensors = useResource(tag ? `tag ${text}` : 'all', () =>
    tag ? findByMetatag(tag[1] ?? '', tag[2] ?? '') : loadSensors(),
  );
  return (
    <Page
      title="Sensors"
      lead={sensors.data && sensors.data.length > 0 && formatMany(sensors.data.length, 'sensor')}
      actions={
        <>
          {sensors.data && sensors.data.length > 0 && (
            <a class="button" href={href('/connect')}>
              Connect a device
            </a>
          )}
          <DialogButton text="New sensor" title="New sensor" kind="primary">
            {(close) => <NewSensor close={close} />}
          </DialogButton>
        </>
      }
    >
      <Loaded resource={sensors}>
        {(list) =>
          list.length === 0 && !text ? <NoSensors /> : <List {...{ list, text, whose, page }} isTag={!!tag} />
        }
      </Loaded>
    </Page>
  );
}

function List({
  list,
  text,
  whose,
  page,
  isTag,
}: {
  list: readonly Sensor[];
  text: string;
  whose: Whose;
  page: number;
  isTag: boolean;
}) {
  const found = useMemo(() => list.filter(filterOf(isTag ? '' : text, whose)), [list, text, whose, isTag]);
  const shown = found.slice(page * SIZE, (page + 1) * SIZE);
  const states = useResource('states', loadStates, { everyMs: 15_000 });
  return (
    <div class="stack">
      <Finder text={text} whose={whose} />
      {found.length < list.length && (
        <p class="quiet small" role="status">
          {formatCount(found.length)} of {formatMany(list.length, 'sensor')}
        </p>
      )}
      {shown.length === 0 ? (
        <Empty title="Nothing found">
          <p>No sensor matches. Names are compared without regard to letter case, metatags exactly.</p>
        </Empty>
      ) : (
        <SensorRows sensors={shown} states={states.data ?? new Map()} />
      )}
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

function Finder({ text, whose }: { text: string; whose: Whose }) {
  const [typed, setTyped] = useState(text);
  return (
    <div class="line spread">
      <input
        class="input search"
        type="search"
        aria-label="Find sensors"
        placeholder="Name, or room:kitchen for a metatag"
        value={typed}
        onInput={(event) => {
          setTyped(textOf(event));
          setQuery({ q: textOf(event), page: undefined });
        }}
      />
      <Choices<Whose>
        label="Whose"
        value={whose}
        options={[
          ['all', 'All'],
          ['mine', 'Mine'],
          ['shared', 'Shared with me'],
        ]}
        onValue={(value) => setQuery({ whose: value === 'all' ? undefined : value, page: undefined })}
      />
    </div>
  );
}

function filterOf(text: string, whose: Whose): (sensor: Sensor) => boolean {
  const wanted = text.trim().toLowerCase();
  return (sensor) => {
    if (whose === 'mine' && sensor.owner) return false;
    if (whose === 'shared' && !sensor.owner) return false;
    return `${sensor.name} ${sensorName(sensor)} ${sensor.device_type}`.toLowerCase().includes(wanted);
  };
}

async function loadStates(): Promise<Map<string, Records['PlacedSensorTriggerView'][]>> {
  const { triggers } = await ask(api.get('/sensors/triggers', { params: { query: { per_page: 1000 } } }));
  const states = new Map<string, Records['PlacedSensorTriggerView'][]>();
  for (const trigger of triggers) states.set(trigger.sensor_id, [...(states.get(trigger.sensor_id) ?? []), trigger]);
  return states;
}
