import { all, api, ask, type Records } from '../api';
import { formatAge, formatDate, formatValue, sensorName } from '../format';
import { href } from '../router';
import { Empty, Loaded, Page } from '../ui/page';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { StateOf } from './sensor/triggers';
import { loadSensors } from './sensors/load';

type Placed = Records['PlacedSensorTriggerView'];

/** What has fired, the latest first. */
export function AlertsPage() {
  const alerts = useResource(
    'alerts',
    async () => {
      const [triggers, sensors] = await Promise.all([
        all(async (query) => (await ask(api.get('/sensors/triggers', { params: { query } }))).triggers),
        loadSensors(),
      ]);
      const names = new Map(sensors.map((sensor) => [sensor.id, sensorName(sensor)]));
      const fired = triggers.filter(({ last_triggered }) => last_triggered > 0);
      return { fired: fired.sort((a, b) => b.last_triggered - a.last_triggered), names };
    },
    { everyMs: 5_000 },
  );
  return (
    <Page
      title="Alerts"
      lead="What your triggers have found, the latest first."
      actions={
        <a class="button" href={href('/mutes')}>
          Mutes
        </a>
      }
    >
      <Loaded resource={alerts}>
        {({ fired, names }) =>
          fired.length === 0 ? (
            <Empty title="All quiet">
              <p>Nothing has fired yet.</p>
            </Empty>
          ) : (
            <Table<Placed>
              caption="Alerts"
              rows={fired}
              keyOf={({ id, sensor_id }) => `${sensor_id} ${id}`}
              columns={[
                {
                  name: 'Alert',
                  cell: (one) => (
                    <div>
                      <a class="strong" href={href(`/sensors/${one.sensor_id}/triggers/${one.id}`)}>
                        {one.name}
                      </a>
                      <div class="small quiet">{names.get(one.sensor_id) ?? `sensor ${one.sensor_id}`}</div>
                    </div>
                  ),
                },
                { name: 'State', cell: (one) => <StateOf trigger={one} /> },
                {
                  name: 'Fired',
                  cell: ({ last_triggered: last, times_triggered: times }) => (
                    <span title={formatDate(last)}>
                      {formatAge(last)} <span class="quiet">· {times} ×</span>
                    </span>
                  ),
                },
                { name: 'Value now', right: true, cell: (one) => formatValue(one.last_sensor_data_value) },
              ]}
            />
          )
        }
      </Loaded>
    </Page>
  );
}
