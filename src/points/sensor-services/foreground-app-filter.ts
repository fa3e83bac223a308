import type { SensorDataPoint } from '../data-points/data-point';
import { fieldsOf, usedValues } from './input-values';
import { type Computed, type Json, type MethodOutcome, type ServiceState, sensorService } from './sensor-service';

type Settings = { readonly filter: readonly string[] };
type State = ServiceState<Settings, null>;

const MAX_VALUES = 1_000;

/** Passes on text values of a list, whatever their letter case, with their dates. */
export const foregroundAppFilter = sensorService<Settings & Json, null>({
  name: 'foreground_app_filter',
  description: 'Passes on the values that are in a list, and nothing else.',
  output: { dataType: 'string', dataStructure: '' },
  usableFields: (sensor) => fieldsOf(sensor, (isText) => isText),
  settings: { filter: [] },
  memory: null,
  methods: [
    { name: 'SetFilter', parameters: ['value', '...'], returns: '', set: setFilter },
    { name: 'GetFilter', parameters: [], returns: 'array', get: ({ settings }) => JSON.stringify(settings.filter) },
  ],
  compute,
});

function setFilter(_: State, values: readonly string[]): MethodOutcome<Settings> {
  if (values.length > MAX_VALUES) return { refused: `takes at most ${MAX_VALUES} values` };
  return { settings: { filter: [...values] } };
}

function compute({ inputs, settings }: State, points: readonly SensorDataPoint[]): Computed<null> {
  const wanted = new Set(settings.filter.map((value) => value.toLowerCase()));
  const outputs = points.flatMap(({ sensorId, value, dateMs }) => {
    const input = inputs.find((each) => each.sensorId === sensorId);
    const values = input ? [...usedValues(input, value).values()].map(String) : [];
    return values.filter((text) => wanted.has(text.toLowerCase())).map((text) => ({ value: text, dateMs }));
  });
  return { outputs, memory: null, error: null };
}
