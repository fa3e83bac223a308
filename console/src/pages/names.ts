import { all, api, ask } from '../api';
import { sensorName } from '../format';
import { type Resource, useResource } from '../use-resource';
import { loadSensors, type Sensor } from './sensors/load';

/** The names of sensors and triggers, by their ids, and the sensors themselves. */
export interface Names {
  sensors: ReadonlyMap<string, string>;
  triggers: ReadonlyMap<string, string>;
  records: ReadonlyMap<string, Sensor>;
}

const NOTHING: Names = { sensors: new Map(), triggers: new Map(), records: new Map() };

/** The names of all sensors and triggers of the user; empty until they are loaded. */
export function useNames(): Names {
  const names: Resource<Names> = useResource('names', load);
  return names.data ?? NOTHING;
}

async function load(): Promise<Names> {
  const [sensors, triggers] = await Promise.all([
    loadSensors(),
    all(async (query) => (await ask(api.get('/triggers', { params: { query } }))).triggers),
  ]);
  return {
    sensors: new Map(sensors.map((sensor) => [sensor.id, sensorName(sensor)])),
    triggers: new Map(triggers.map(({ id, name }) => [id, name])),
    records: new Map(sensors.map((sensor) => [sensor.id, sensor])),
  };
}
