import { useState } from 'preact/hooks';
import { api, ask, type Records, ROOT } from '../api';
import { formatAge, formatDate, formatExact, formatMany, TIME_ZONE } from '../format';
import { spreadsheetQuery } from '../spreadsheet';
import { DangerButton } from '../ui/dialog';
import { Empty, Loaded } from '../ui/page';
import { Pages, Table } from '../ui/table';
import { useResource } from '../use-resource';
import { SensorFrame } from './sensor/frame';
import { DeleteRange } from './sensor-data/delete-range';

type Point = Records['DataPointView'];
const SIZE = 50;

/** The stored points of a sensor, newest first. */
export function SensorDataPage({ id }: { id: string }) {
  return (
    <SensorFrame id={id} tab="data">
      {(sensor) => <Points sensor={sensor} />}
    </SensorFrame>
  );
}

function Points({ sensor }: { sensor: Records['OwnedSensorView'] }) {
  const [page, setPage] = useState(0);
  const points = useResource(
    `points ${sensor.id} ${page}`,
    (signal) =>
      ask(
        api.get('/sensors/{id}/data', {
          params: { path: { id: sensor.id }, query: { sort: 'DESC', page, per_page: SIZE, total: true } },
          signal,
        }),
      ),
    { everyMs: page === 0 ? 10_000 : undefined },
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
      {({ data, total }) =>
        data.length === 0 ? (
          <Empty title="No data">
            <p>What is uploaded is listed here, the newest first.</p>
          </Empty>
        ) : (
          <div class="stack">
            <PointTable {...{ sensor, data, remove, reload }} count={total ?? data.length} />
            <Pages page={page} size={SIZE} count={data.length} total={total} onPage={setPage} />
          </div>
        )
      }
    </Loaded>
  );
}

function PointTable({
  sensor,
  data,
  count,
  remove,
  reload,
}: {
  sensor: Records['OwnedSensorView'];
  data: readonly Point[];
  count: number;
  remove: (point: Point) => Promise<void>;
  reload: () => void;
}) {
  return (
    <>
      <div class="line spread">
        <span class="quiet numbers">{formatMany(count, 'point')}</span>
        <a
          class="button small-button"
          href={`${ROOT}sensors/${sensor.id}/data.csv?dates=iso`}
          download={`${sensor.name}.csv`}
        >
          Download as CSV
        </a>
        <a
          class="button small-button"
          href={`${ROOT}sensors/${sensor.id}/data.csv?${spreadsheetQuery()}`}
          download={`${sensor.name}.csv`}
        >
          CSV for Excel
        </a>
        {!sensor.owner && <DeleteRange id={sensor.id} onDone={reload} />}
      </div>
      <Table<Point>
        caption="Data points, the newest first"
        rows={data}
        keyOf={(point) => point.id}
        columns={[
          { name: 'Value', cell: (point) => <code class="breakable">{formatExact(point.value)}</code> },
          { name: `Date (${TIME_ZONE})`, cell: (point) => <span class="numbers">{formatDate(point.date)}</span> },
          { name: 'Age', cell: (point) => <span class="quiet">{formatAge(point.date)}</span> },
          ...(sensor.owner
            ? []
            : [{ name: 'Actions', right: true, cell: (point: Point) => <Remove {...{ point, remove }} /> }]),
        ]}
      />
    </>
  );
}

function Remove({ point, remove }: { point: Point; remove: (point: Point) => Promise<void> }) {
  return (
    <DangerButton
      text="Delete"
      kind="quiet-button small-button"
      label={`Delete the value of ${formatDate(point.date)}`}
      title="Delete this value?"
      consequence={`The value of ${formatDate(point.date)} will be gone. What triggers made of it stays.`}
      act={() => remove(point)}
    />
  );
}
