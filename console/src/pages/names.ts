import { all, api, ask, type Records } from '../api';
import { sensorName } from '../format';
import { loadOwnGroups } from '../join-requests';
import { useResource } from '../use-resource';
import { fullName } from './sensors/differences';
import { loadSensors, type Sensor } from './sensors/load';

/** The names of sensors and triggers, by their ids, and the sensors themselves. */
export interface Names {
  sensors: ReadonlyMap<string, string>;
  triggers: ReadonlyMap<string, string>;
  records: ReadonlyMap<string, Sensor>;
  /** The ids of triggers without notifications. */
  unheard: readonly string[];
}

const NOTHING = namesAmong([], []);

/** The names of all sensors and triggers of the user; empty until they are loaded. */
export function useNames(): Names {
  return useResource('names', load).data ?? NOTHING;
}

async function load(): Promise<Names> {
  return namesAmong(...(await Promise.all([loadSensors(), loadTriggers()])));
}

export function namesAmong(sensors: readonly Sensor[], triggers: readonly Trigger[]): Names {
  return {
    sensors: new Map(namesOf(sensors, fullName)),
    triggers: new Map(namesOf(triggers)),
    records: new Map(sensors.map((sensor) => [sensor.id, sensor])),
    unheard: triggers.filter((one) => one.notification_count === 0).map(({ id }) => id),
  };
}

/** With the names that firings of others have. */
export function withFired(names: Names, firings: readonly Records['FiringView'][]): Names {
  const [sensors, triggers] = [new Map(names.sensors), new Map(names.triggers)];
  for (const { sensor_id, sensor_name, trigger_id, trigger_name } of firings) {
    if (sensor_name && !sensors.has(sensor_id)) sensors.set(sensor_id, sensor_name);
    if (trigger_name && !triggers.has(trigger_id)) triggers.set(trigger_id, trigger_name);
  }
  return { ...names, sensors, triggers };
}

type Trigger = Records['TriggerView'];

/** All triggers of the user. */
export function loadTriggers(): Promise<Trigger[]> {
  return all(async (query) => (await ask(api.get('/triggers', { params: { query } }))).triggers);
}

/** What distinguishes a sensor from others with its name, as far as the names are loaded. */
export function useSensorNames(): (sensor: Pick<Sensor, 'id' | 'name' | 'display_name'>) => string {
  const { sensors } = useNames();
  return (sensor) => sensors.get(sensor.id) ?? sensorName(sensor);
}

/** Things to choose from, by id and name. */
export type Options = readonly (readonly [id: string, name: string])[];

/** The user's things of a kind. */
export const LOADERS = {
  sensor: async () => namesOf(await loadSensors(), fullName),
  trigger: async () => namesOf(await loadTriggers()),
  group: async () => namesOf(await loadOwnGroups()),
  environment: async () =>
    namesOf(await all(async (query) => (await ask(api.get('/environments', { params: { query } }))).environments)),
} as const satisfies Record<string, () => Promise<Options>>;

type Named = { id: string; name: string };

function namesOf<T extends Named>(things: readonly T[], nameOf = ({ name }: T) => name): Options {
  return things.map((one) => [one.id, nameOf(one)]);
}
