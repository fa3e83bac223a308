import type { DataPoint, SensorDataPoint } from '../data-points/data-point';
import { fieldsOf, usedNumbers } from './input-values';
import { type Computed, type Json, type MethodOutcome, type ServiceState, sensorService } from './sensor-service';

type Unit = 'seconds' | 'points';
type Settings = { readonly size: number; readonly unit: Unit };

/** `[date in ms, number, id of the sensor]`, oldest first. */
type Entry = readonly [dateMs: number, number: number, sensorId: number];
type Memory = { readonly window: readonly Entry[] };

type State = ServiceState<Settings, Memory>;

/** Limit of a window, whatever its length in seconds. */
const MAX_ENTRIES = 5_000;
const MAX_SECONDS = 31 * 86_400;
const FIELDS = ['mean', 'min', 'max', 'deviation', 'count'] as const;

/**
 * Describes a rolling window over all sensors, dated by its newest point; the deviation is divided by n. A late point
 * within the window is inserted at its date. A sensor has one point at a date, so a repeated upload counts once.
 */
export const statisticsService = sensorService<Settings, Memory & Json>({
  name: 'statistics_service',
  description: 'Mean, min, max, deviation and count over a rolling window, by seconds or by a number of points.',
  output: {
    dataType: 'json',
    dataStructure: JSON.stringify(
      Object.fromEntries(FIELDS.map((name) => [name, name === 'count' ? 'integer' : 'float'])),
    ),
  },
  usableFields: (sensor) => fieldsOf(sensor, (isText) => !isText),
  settings: { size: 100, unit: 'points' },
  memory: { window: [] },
  methods: [
    { name: 'SetWindow', parameters: ['size', 'unit'], returns: '', set: setWindow },
    {
      name: 'GetWindow',
      parameters: [],
      returns: 'string',
      get: ({ settings: { size, unit } }) => JSON.stringify([String(size), unit]),
    },
  ],
  compute,
});

function setWindow(_: State, [sizeText = '', unit = '']: readonly string[]): MethodOutcome<Settings> {
  const size = Number(sizeText);
  if (unit !== 'seconds' && unit !== 'points') return { refused: 'the unit must be seconds or points' };
  const limit = unit === 'points' ? MAX_ENTRIES : MAX_SECONDS;
  const isSize =
    sizeText.trim() !== '' && Number.isFinite(size) && size > 0 && (unit === 'seconds' || Number.isInteger(size));
  if (!isSize || size > limit) return { refused: `the size must be a number of ${unit}, at most ${limit}` };
  return { settings: { size, unit } };
}

function compute({ inputs, settings, memory }: State, points: readonly SensorDataPoint[]): Computed<Memory> {
  const window = [...memory.window];
  const outputs: DataPoint[] = [];
  let error: string | null = null;
  for (const { sensorId, value, dateMs } of points) {
    const input = inputs.find((each) => each.sensorId === sensorId);
    const numbers = input ? usedNumbers(input, value) : [];
    error = numbers.length === 0 ? 'the value holds no number' : null;
    if (numbers.length === 0 || isBefore(window, dateMs, settings)) continue;
    remove(window, dateMs, sensorId);
    insert(window, dateMs, numbers, sensorId);
    trim(window, settings);
    const newest = window.at(-1);
    if (newest) outputs.push({ value: describe(window.map(([, number]) => number)), dateMs: newest[0] });
  }
  return { outputs, memory: { window }, error };
}

function isBefore(window: readonly Entry[], dateMs: number, { size, unit }: Settings): boolean {
  const [oldest, newest] = [window[0], window.at(-1)];
  if (!oldest || !newest) return false;
  if (unit === 'seconds') return dateMs <= newest[0] - size * 1000;
  return window.length >= size && dateMs < oldest[0];
}

function remove(window: Entry[], dateMs: number, sensorId: number): void {
  const [from, to] = [firstAfter(window, dateMs - 1), firstAfter(window, dateMs)];
  const others = window.slice(from, to).filter((entry) => entry[2] !== sensorId);
  if (others.length < to - from) window.splice(from, to - from, ...others);
}

function insert(window: Entry[], dateMs: number, numbers: readonly number[], sensorId: number): void {
  const entries = numbers.slice(-MAX_ENTRIES).map((number): Entry => [dateMs, number, sensorId]);
  window.splice(firstAfter(window, dateMs), 0, ...entries);
}

function firstAfter(window: readonly Entry[], dateMs: number): number {
  let at = window.length;
  while (at > 0 && (window[at - 1]?.[0] ?? 0) > dateMs) at -= 1;
  return at;
}

function trim(window: Entry[], { size, unit }: Settings): void {
  const newestMs = window.at(-1)?.[0] ?? 0;
  let excess = Math.max(0, window.length - (unit === 'points' ? size : MAX_ENTRIES));
  if (unit === 'seconds') while ((window[excess]?.[0] ?? newestMs) <= newestMs - size * 1000) excess += 1;
  window.splice(0, excess);
}

function describe(numbers: readonly number[]): string {
  const count = numbers.length;
  const mean = numbers.reduce((sum, number) => sum + number / count, 0);
  const deviation = Math.sqrt(numbers.reduce((sum, number) => sum + (number - mean) ** 2 / count, 0));
  const min = numbers.reduce((a, b) => Math.min(a, b));
  const max = numbers.reduce((a, b) => Math.max(a, b));
  return JSON.stringify({ mean, min, max, deviation, count });
}
