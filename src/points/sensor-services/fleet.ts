import { parseRecord } from '../../platform/parse-record';
import { fieldsOf, WHOLE_VALUE } from './input-values';
import { type Json, type MethodOutcome, type ServiceState, sensorService } from './sensor-service';

/** `inactiveAfter` in seconds; 0 and a trigger of 0 are none. A selector of null leaves the members to its owner. */
export type FleetSettings = {
  readonly filter: { readonly [key: string]: Json } | null;
  readonly field: string;
  readonly inactiveAfter: number;
  readonly triggerId: number;
};

type State = ServiceState<FleetSettings, null>;

export const FLEET_SERVICE = 'fleet_service';
export const FLEET_DEFAULTS: FleetSettings = { filter: null, field: WHOLE_VALUE, inactiveAfter: 0, triggerId: 0 };
const MAX_SECONDS = 366 * 86_400;
const MAX_FIELD = 255;
const COUNTS = ['count', 'silent', 'firing'];

/**
 * Summarises the latest values of many sensors. Passes only note what changed, and a job writes the summary
 * (`src/alerts/fleets`), so `compute` has no work.
 */
export const fleetService = sensorService<FleetSettings, null>({
  name: FLEET_SERVICE,
  description: 'Count, average, minimum, maximum and sum of many sensors, and how many are inactive or firing.',
  output: {
    dataType: 'json',
    dataStructure: JSON.stringify(
      Object.fromEntries(
        ['count', 'average', 'minimum', 'maximum', 'sum', 'silent', 'firing'].map((name) => [
          name,
          COUNTS.includes(name) ? 'integer' : 'float',
        ]),
      ),
    ),
  },
  usableFields: (sensor) => fieldsOf(sensor, () => true),
  settings: FLEET_DEFAULTS,
  memory: null,
  methods: [
    { name: 'SetFilter', parameters: ['selector'], returns: '', set: setFilter },
    {
      name: 'GetFilter',
      parameters: [],
      returns: 'object',
      get: ({ settings }) => filterText(settings),
    },
    { name: 'SetField', parameters: ['field'], returns: '', set: setField },
    { name: 'GetField', parameters: [], returns: 'string', get: ({ settings }) => settings.field },
    { name: 'SetSilentAfter', parameters: ['seconds'], returns: '', set: setInactiveAfter },
    {
      name: 'GetSilentAfter',
      parameters: [],
      returns: 'integer',
      get: ({ settings }) => String(settings.inactiveAfter),
    },
    { name: 'SetTrigger', parameters: ['trigger_id'], returns: '', set: setTrigger },
    { name: 'GetTrigger', parameters: [], returns: 'integer', get: ({ settings }) => String(settings.triggerId) },
  ],
  compute: () => ({ outputs: [], memory: null, error: null }),
});

/** As `SetFilter` takes it. */
function filterText({ filter }: FleetSettings): string {
  if (filter === null) return '';
  const { filter: statements, namespace } = filter;
  return JSON.stringify(JSON.stringify(statements) === '{}' ? { all: true, namespace } : filter);
}

/** Checked further where the sensors are known. */
function setFilter({ settings }: State, [text = '']: readonly string[]): MethodOutcome<FleetSettings> {
  if (text.trim() === '') return { settings: { ...settings, filter: null } };
  const filter = parseRecord(text);
  if (!filter) return { refused: 'the selector must be an object in JSON' };
  return { settings: { ...settings, filter: filter as FleetSettings['filter'] } }; // read from JSON
}

function setField({ settings }: State, [field = '']: readonly string[]): MethodOutcome<FleetSettings> {
  if (field === '' || field.length > MAX_FIELD) return { refused: `the field must have 1 to ${MAX_FIELD} characters` };
  return { settings: { ...settings, field } };
}

function setInactiveAfter({ settings }: State, [text = '']: readonly string[]): MethodOutcome<FleetSettings> {
  const inactiveAfter = wholeNumber(text);
  if (inactiveAfter > MAX_SECONDS || Number.isNaN(inactiveAfter))
    return { refused: `the seconds must be a whole number up to ${MAX_SECONDS}, or 0 for none` };
  return { settings: { ...settings, inactiveAfter } };
}

function setTrigger({ settings }: State, [text = '']: readonly string[]): MethodOutcome<FleetSettings> {
  const triggerId = wholeNumber(text);
  if (!Number.isSafeInteger(triggerId)) return { refused: 'the trigger must be an id, or 0 for none' };
  return { settings: { ...settings, triggerId } };
}

function wholeNumber(text: string): number {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
}
