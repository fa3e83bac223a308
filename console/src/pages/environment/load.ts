import { ApiError, all, api, ask, type Records } from '../../api';
import { useFirings } from '../../firing-stream';
import { type StateName, sensorState } from '../../ui/states';
import { useResource } from '../../use-resource';
import type { FloorPlan } from '../environments/picture';
import { findIds, loadStates, type Sensor } from '../sensors/load';

export type Environment = Records['EnvironmentView'];

/** An environment with its floor plan, if it has one. */
export interface Place {
  environment: Environment;
  plan: FloorPlan | undefined;
}

export function usePlace(id: string) {
  return useResource(`environment ${id}`, async (signal): Promise<Place> => {
    const params = { path: { id } };
    const [{ environment }, plan] = await Promise.all([
      ask(api.get('/environments/{id}', { params, signal })),
      ask(api.get('/environments/{id}/floor_plan', { params, signal })).catch(nothing),
    ]);
    return { environment, plan: plan?.floor_plan };
  });
}

function nothing(error: unknown): undefined {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

/** The sensors in an environment, and the positions of those that have one. */
export interface Inside {
  sensors: readonly Sensor[];
  positions: ReadonlyMap<string, string>;
}

export function useInside(id: string) {
  return useResource(`plan of ${id}`, async (): Promise<Inside> => {
    const path = { id };
    const [sensors, { positions }] = await Promise.all([
      all(async (query) => (await ask(api.get('/environments/{id}/sensors', { params: { path, query } }))).sensors),
      ask(api.get('/environments/{id}/positions', { params: { path } })),
    ]);
    return {
      sensors: sensors.filter((one): one is Sensor => 'name' in one),
      positions: new Map(positions.map(({ sensor_id, position }) => [sensor_id, position])),
    };
  });
}

/** Moves sensors; null takes them off the plan. */
export async function moveSensors(id: string, positions: Records['SensorPosition'][]): Promise<void> {
  await ask(api.put('/environments/{id}/positions', { params: { path: { id } }, body: { positions } }));
}

/** The states of all sensors that have one, updated at once. */
export function useStates(): ReadonlyMap<string, StateName> {
  const states = useResource(
    'states of sensors',
    async () => {
      const [rules, inactive] = await Promise.all([loadStates(), findIds({ filter: {}, state: 'silent' })]);
      const found = [...new Set([...rules.keys(), ...inactive])].map(
        (id) => [id, sensorState(rules.get(id) ?? [], inactive.has(id))] as const,
      );
      return new Map(found.filter((one): one is readonly [string, StateName] => one[1] !== undefined));
    },
    { everyMs: 15_000 },
  );
  useFirings(states.reload);
  return states.data ?? new Map();
}
