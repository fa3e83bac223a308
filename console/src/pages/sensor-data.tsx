import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../api';
import { CsvLink, FOR_SPREADSHEETS } from '../chart/downloads';
import { formatAge, formatDate, formatExact, TIME_ZONE } from '../format';
import { many, t } from '../language';
import { setQuery, usePlace } from '../router';
import { roomBefore } from '../ui/align';
import { DateTimeField, fieldOf, readDateTime } from '../ui/date-time-field';
import { DangerButton, DialogButton } from '../ui/dialog';
import { Form } from '../ui/form';
import { Empty, Loaded } from '../ui/page';
import { Pages, Table } from '../ui/table';
import { useResource } from '../use-resource';
import { SensorFrame } from './sensor/frame';
import { DeleteRange } from './sensor-data/delete-range';

type Point = Records['DataPointView'];
type Sensor = Records['OwnedSensorView'];
const SIZE = 50;
/** Fields show whole seconds: points within the last one are listed as well. */
const REST_OF_SECOND = 0.999;

/** The stored points of a sensor, newest first. */
export function SensorDataPage({ id }: { id: string }) {
  return (
    <SensorFrame id={id} tab="data">
      {(sensor) => <Points sensor={sensor} />}
    </SensorFrame>
  );
}

function Points({ sensor }: { sensor: Sensor }) {
  const until = Number(usePlace().query.get('until')) || undefined;
  return <PointsUntil key={until} {...{ sensor, until }} />;
}

/** The points up to a date, or all of them. */
function PointsUntil({ sensor, until }: { sensor: Sensor; until: number | undefined }) {
  const [page, setPage] = useState(0);
  const points = useResource(
    `points ${sensor.id} ${until} ${page}`,
    (signal) => {
      const query = { sort: 'DESC' as const, page, per_page: SIZE, total: true, ...(until && { end_date: until }) };
      return ask(api.get('/sensors/{id}/data', { params: { path: { id: sensor.id }, query }, signal }));
    },
    { everyMs: page === 0 && !until ? 10_000 : undefined },
  );
  const remove = async (point: Point) => {
    const path = { id: sensor.id, data_id: point.id };
    await ask(api.delete('/sensors/{id}/data/{data_id}', { params: { path } }));
    points.reload();
  };
  // After a deletion this page may no longer exist.
  const reload = () => {
    setPage(0);
    points.reload();
  };
  return (
    <Loaded resource={points}>
      {({ data, total }) => (
        <div class="stack">
          <Head {...{ sensor, until, reload }} count={total ?? data.length} />
          {data.length === 0 ? (
            <Empty title={t('No data')}>
              <p>
                {until
                  ? t('There are no points up to this date.')
                  : t('Uploaded points are listed here, newest first.')}
              </p>
            </Empty>
          ) : (
            <PointTable {...{ sensor, data, remove }} />
          )}
          <Pages page={page} size={SIZE} count={data.length} total={total} onPage={setPage} />
        </div>
      )}
    </Loaded>
  );
}

interface HeadProps {
  sensor: Sensor;
  until: number | undefined;
  count: number;
  reload: () => void;
}

/** The number of points, and what can be done with all of them. */
function Head({ sensor, until, count, reload }: HeadProps) {
  const names = { id: sensor.id, name: sensor.name };
  return (
    <div class="line spread">
      <span class="line">
        <span class="quiet numbers">
          {until
            ? many(count, '{n} point up to {date}', '{n} points up to {date}', { date: formatDate(until) })
            : many(count, '{n} point', '{n} points')}
        </span>
        <DialogButton text={t('Go to a date')} title={t('Go to a date')} kind="small-button">
          {(close) => <Jump {...{ until, close }} />}
        </DialogButton>
        {until && (
          <button type="button" class="button small-button" onClick={() => setQuery({ until: undefined })}>
            {t('Newest')}
          </button>
        )}
      </span>
      {count > 0 && (
        <span class="actions">
          <CsvLink {...names} query="dates=iso" text={t('Download as CSV')} />
          <CsvLink {...names} query={FOR_SPREADSHEETS} text={t('CSV for Excel')} />
          {!sensor.owner && <DeleteRange id={sensor.id} onDone={reload} />}
        </span>
      )}
    </div>
  );
}

function Jump({ until, close }: { until: number | undefined; close: () => void }) {
  const [date, setDate] = useState(fieldOf(until ?? Date.now() / 1000));
  const { seconds } = readDateTime(date);
  const submit = async () => {
    close();
    if (seconds) setQuery({ until: (seconds + REST_OF_SECOND).toFixed(3) });
  };
  return (
    <Form label={t('Show')} submit={submit} onCancel={close} ready={seconds !== undefined}>
      <DateTimeField label={t('Points up to')} value={date} onValue={setDate} />
    </Form>
  );
}

interface TableProps {
  sensor: Sensor;
  data: readonly Point[];
  remove: (point: Point) => Promise<void>;
}

function PointTable({ sensor, data, remove }: TableProps) {
  const texts = data.map(({ value }) => formatExact(value));
  const rooms = new Map(roomBefore(texts).map((room, at) => [data[at], room]));
  return (
    <Table<Point>
      caption={t('Data points, newest first')}
      rows={data}
      keyOf={(point) => point.id}
      columns={[
        {
          name: sensor.unit ? t('Value ({unit})', { unit: sensor.unit }) : t('Value'),
          cell: (point) => (
            <code class="breakable" style={{ paddingLeft: `${rooms.get(point) ?? 0}ch` }}>
              {formatExact(point.value)}
            </code>
          ),
        },
        {
          name: t('Date ({zone})', { zone: TIME_ZONE }),
          cell: (point) => <span class="numbers">{formatDate(point.date)}</span>,
        },
        { name: t('Age'), cell: (point) => <span class="quiet">{formatAge(point.date)}</span> },
        ...(sensor.owner
          ? []
          : [
              {
                name: t('Actions'),
                right: true,
                isCorner: true,
                cell: (point: Point) => <Remove {...{ point, remove }} />,
              },
            ]),
      ]}
    />
  );
}

function Remove({ point, remove }: { point: Point; remove: (point: Point) => Promise<void> }) {
  const date = formatDate(point.date);
  return (
    <DangerButton
      text={t('Delete')}
      kind="quiet-button small-button"
      label={t('Delete the value of {date}', { date })}
      title={t('Delete this value?')}
      consequence={t('Deletes the value of {date} for everyone. Alerts that it caused stay.', { date })}
      act={() => remove(point)}
    />
  );
}
