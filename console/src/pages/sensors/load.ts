import { all, api, ask, type Records } from '../../api';

export type Sensor = Records['ListedSensorView'];
export type Point = Records['DataPointView'];

/** All sensors that the user can see. */
export async function loadSensors(): Promise<Sensor[]> {
  return all(async (query) => {
    const { sensors } = await ask(api.get('/sensors', { params: { query } }));
    return sensors.filter(isWhole);
  });
}

function isWhole(sensor: Sensor | Records['SensorIdView']): sensor is Sensor {
  return 'name' in sensor;
}

/** The sensors with this value of this metatag. */
export async function findByMetatag(name: string, value: string): Promise<Sensor[]> {
  const filter = {
    metatag_statement_groups: [[{ metatag_name: name, operator: 'equal' as const, value: value.trim() }]],
  };
  const { sensors } = await ask(
    api.post('/sensors/find', {
      params: { query: { sensor_owner: 'all', details: 'full', per_page: 1000 } },
      body: { filter },
    }),
  );
  return sensors as Sensor[]; // with `details=full` these are whole records
}

/** The newest point of each of these sensors. */
export async function loadLatest(ids: readonly string[], signal: AbortSignal): Promise<Map<string, Point>> {
  const { data } = await ask(
    api.get('/sensors/data', { params: { query: { sensor_id: [...ids], last: true, per_page: 1000 } }, signal }),
  );
  return new Map(data.map((point) => [point.sensor_id, point]));
}

export const DAY = 86_400;

/** The last day before a date, in half hours: enough for a small line. */
export async function loadDay(id: string, until: number, signal: AbortSignal): Promise<Point[]> {
  const query = { start_date: until - DAY, end_date: until, interval: 1800 as const, per_page: 60 };
  const { data } = await ask(api.get('/sensors/{id}/data', { params: { path: { id }, query }, signal }));
  return data;
}
