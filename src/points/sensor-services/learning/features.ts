import { type ExpressionValue, readNumber } from '../../../language/sensor-value';
import type { Reading, Window } from './windows';

/** Name → finite number. */
export type Features = Readonly<Record<string, number>>;

// Correlations grow with the square of the fields.
const MAX_FIELDS = 16;
const MAX_DEPTH = 3;
// A reading waits in memory with the names of its fields.
const MAX_NAME = 100;
// Inputs multiply with their fields; a service keeps many windows.
const MAX_FEATURES = 1_000;
const MAX_CHARACTERS = 40_000;
// Squares of squares must stay finite.
const LARGEST = 1e60;

/** A plain number has the one field ''. Text counts when it spells a number, a boolean as 0 or 1. */
export function numericFields(value: ExpressionValue): Record<string, number> {
  const found: [string, number][] = [];
  gather(value, '', 0, found);
  return Object.fromEntries(found.slice(0, MAX_FIELDS));
}

/**
 * Mean, deviation, energy and rate of crossing the mean of each field; correlation of each pair of fields of an input.
 */
export function describeWindow(window: Window): Features {
  const features: Record<string, number> = {};
  let count = 0;
  let characters = 0;
  for (const [name, value] of allFeatures(window)) {
    count += 1;
    characters += name.length;
    if (count > MAX_FEATURES || characters > MAX_CHARACTERS) break;
    features[name] = value;
  }
  return features;
}

function* allFeatures({ readings: all }: Window): Generator<readonly [string, number], void> {
  const inputs = [...byInput(all)].sort(([one], [other]) => Number(one) - Number(other));
  const described = inputs.map(([input, readings]) => ({ input, readings, fields: fieldsOf(readings) }));
  for (const { input, readings, fields } of described) {
    for (const field of fields) yield* describeField(`${input}/${field}`, valuesOf(readings, field));
  }
  for (const { input, readings, fields } of described) {
    for (const [at, field] of fields.entries()) {
      for (const other of fields.slice(at + 1)) {
        yield [`${input}/${field}~${other}`, correlation(readings, field, other)];
      }
    }
  }
}

function fieldsOf(readings: readonly Reading[]): string[] {
  return [...new Set(readings.flatMap(({ values }) => Object.keys(values)))].sort().slice(0, MAX_FIELDS);
}

function gather(value: ExpressionValue, path: string, depth: number, found: [string, number][]): void {
  if (path.length > MAX_NAME) return;
  const plain = typeof value === 'string' ? readNumber(value) : value;
  if (typeof plain === 'boolean') found.push([path, plain ? 1 : 0]);
  else if (typeof plain === 'number') {
    if (Number.isFinite(plain)) found.push([path, Math.max(-LARGEST, Math.min(LARGEST, plain))]);
  } else if (typeof plain === 'object' && plain !== null && depth < MAX_DEPTH && found.length < MAX_FIELDS) {
    for (const [name, inner] of Object.entries(plain)) {
      gather(inner, path === '' ? name : `${path}.${name}`, depth + 1, found);
    }
  }
}

function* describeField(name: string, values: readonly number[]): Generator<readonly [string, number], void> {
  const mean = meanOf(values);
  yield [`${name} mean`, mean];
  yield [`${name} deviation`, Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)))];
  yield [`${name} energy`, meanOf(values.map((value) => value ** 2))];
  yield [`${name} crossings`, crossingRate(values, mean)];
}

/** Share of the steps that cross the mean, so that their number does not matter. */
function crossingRate(values: readonly number[], mean: number): number {
  let crossings = 0;
  let above: boolean | null = null;
  for (const value of values) {
    if (value === mean) continue;
    if (above !== null && above !== value > mean) crossings += 1;
    above = value > mean;
  }
  return values.length < 2 ? 0 : crossings / (values.length - 1);
}

function correlation(readings: readonly Reading[], field: string, other: string): number {
  const pairs = readings.flatMap(({ values }) => {
    const one = values[field];
    const two = values[other];
    return one === undefined || two === undefined ? [] : [[one, two] as const];
  });
  const meanOne = meanOf(pairs.map(([one]) => one));
  const meanTwo = meanOf(pairs.map(([, two]) => two));
  let together = 0;
  let squaresOne = 0;
  let squaresTwo = 0;
  for (const [one, two] of pairs) {
    together += (one - meanOne) * (two - meanTwo);
    squaresOne += (one - meanOne) ** 2;
    squaresTwo += (two - meanTwo) ** 2;
  }
  const scale = Math.sqrt(squaresOne) * Math.sqrt(squaresTwo);
  return scale > 0 ? Math.max(-1, Math.min(1, together / scale)) : 0;
}

function byInput(readings: readonly Reading[]): Map<string, Reading[]> {
  const groups = new Map<string, Reading[]>();
  for (const reading of readings) {
    const group = groups.get(reading.input);
    if (group === undefined) groups.set(reading.input, [reading]);
    else group.push(reading);
  }
  return groups;
}

function valuesOf(readings: readonly Reading[], field: string): number[] {
  return readings.flatMap(({ values }) => values[field] ?? []);
}

function meanOf(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
