import { useEffect, useState } from 'preact/hooks';
import type { Records } from '../../api';
import { formatAge, formatDate, formatDuration, formatValue, personName, readFields, sensorName } from '../../format';
import { href } from '../../router';
import { Status } from '../../ui/page';
import { Sparkline } from '../../ui/sparkline';
import { Table } from '../../ui/table';
import { useResource } from '../../use-resource';
import { DAY, loadDay, loadLatest, type Point, type Sensor } from './load';

type States = ReadonlyMap<string, readonly Records['PlacedSensorTriggerView'][]>;

/** Sensors with their latest values, which are polled every few seconds. */
export function SensorRows({ sensors, states }: { sensors: readonly Sensor[]; states: States }) {
  const ids = sensors.map(({ id }) => id);
  const latest = useResource(ids.join(), (signal) => loadLatest(ids, signal), { everyMs: 5_000 });
  return (
    <Table<Sensor>
      caption="Sensors"
      rows={sensors}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Sensor', cell: (sensor) => <Name sensor={sensor} /> },
        { name: 'State', cell: ({ id }) => <State triggers={states.get(id) ?? []} /> },
        {
          name: 'Last day',
          cell: ({ id }) => <Day id={id} last={latest.data?.get(id)} />,
        },
        { name: 'Latest', right: true, cell: ({ id }) => <Latest point={latest.data?.get(id)} /> },
      ]}
    />
  );
}

function Name({ sensor }: { sensor: Sensor }) {
  const kind = [
    sensor.type === '2' ? 'virtual' : '',
    sensor.device_type,
    sensor.owner && `by ${personName(sensor.owner)}`,
  ];
  return (
    <div>
      <a class="strong" href={href(`/sensors/${sensor.id}`)}>
        {sensorName(sensor)}
      </a>
      <div class="quiet small">{kind.filter(Boolean).join(' · ')}</div>
    </div>
  );
}

/** The worst state of the sensor's triggers. */
function State({ triggers }: { triggers: readonly Records['PlacedSensorTriggerView'][] }) {
  const active = triggers.filter((one) => one.active);
  if (active.length === 0) return null;
  const firing = active.filter(({ state }) => state === 'firing');
  if (firing.length > 0) return <Status kind="bad">{firing.map(({ name }) => name).join(', ')}</Status>;
  if (active.some(({ last_error }) => last_error !== '')) return <Status kind="warn">cannot be evaluated</Status>;
  if (active.some(({ state }) => state === 'pending')) return <Status kind="warn">pending</Status>;
  return <Status kind="good">ok</Status>;
}

function Latest({ point }: { point: Point | undefined }) {
  if (!point) return <span class="quiet">no data</span>;
  return (
    <div>
      <div class="last-value">{formatValue(point.value)}</div>
      <time class="quiet small" dateTime={new Date(point.date * 1000).toISOString()} title={formatDate(point.date)}>
        {formatAge(point.date)}
      </time>
    </div>
  );
}

/**
 * The line of the last day, reloaded every half hour, and extended by each new value. Without data on that day it shows
 * since when.
 */
function Day({ id, last }: { id: string; last: Point | undefined }) {
  const [points, setPoints] = useState<readonly Point[]>([]);
  const nowSeconds = Date.now() / 1000;
  const isQuiet = last === undefined || last.date < nowSeconds - DAY;
  const halfHour = isQuiet ? undefined : Math.floor(nowSeconds / 1800);
  useEffect(() => {
    if (halfHour === undefined) return;
    const abort = new AbortController();
    loadDay(id, (halfHour + 1) * 1800, abort.signal).then(setPoints, () => {});
    return () => abort.abort();
  }, [id, halfHour]);
  if (!last) return null;
  if (isQuiet) return <Status kind="warn">no data for {formatDuration(nowSeconds - last.date, 1)}</Status>;
  const line = [...points, last].map(({ date, value }) => ({ date, value: numberOf(value) }));
  return <Sparkline points={line} from={nowSeconds - DAY} to={Math.max(nowSeconds, last.date)} />;
}

/** A number to draw: the value, or the first number in its fields. */
function numberOf(value: string): number {
  const fields = readFields(value);
  const found = fields ? Object.values(fields).find((field) => typeof field === 'number') : value;
  if (found === 'true') return 1;
  if (found === 'false') return 0;
  return found === '' || found === undefined ? Number.NaN : Number(found);
}
