import { loadPoints } from '../../chart/load';
import { roundTo, stepOf } from '../../chart/steps';
import { isGap } from '../../csv/cells';
import { formatNumber, readFields } from '../../format';
import { t } from '../../language';
import { useResource } from '../../use-resource';
import { kindOfSensor } from '../upload/words';
import { type Built, type Kind, PLAIN, variableOf } from './built-rule';
import type { TrialSensor } from './trial';

/** A suggested rule, which fires now and then on the sensor's data. */
export interface Suggestion {
  /** The value fires above the bound. */
  variable: string;
  bound: string;
}

const MONTH = 30 * 86_400;
const FEWEST = 3;
/** The share of values below the bound. */
const MOST_BELOW = 0.97;

/** The suggestion from the last month of a sensor's data. */
export interface Suggested {
  /** Undefined if no rule fits. */
  suggestion?: Suggestion;
  /**
   * True for a text sensor whose values are numbers, except gaps: rules cannot compare them until its kind is changed.
   */
  isTextOfNumbers: boolean;
}

/** Undefined while the data is read. */
export function useSuggestion(sensor: TrialSensor | undefined): Suggested | undefined {
  const found = useResource(`suggestion ${sensor?.id ?? ''} ${sensor?.dataType ?? ''}`, async (signal) => {
    if (!sensor) return { isTextOfNumbers: false };
    const { from, to } = sensor.extent;
    const { values } = await loadPoints(sensor.id, { from: Math.max(from, to - MONTH), to }, signal);
    // In a text sensor 21 is a text, which no rule can compare with a number.
    if (kindOfSensor(sensor.dataType) === 'string') {
      const filled = values.filter((value) => !isGap(value));
      return { isTextOfNumbers: filled.length > 0 && filled.every((value) => firstNumber(value) === '') };
    }
    return { suggestion: suggest(values), isTextOfNumbers: false };
  });
  return found.data;
}

/** A name for a rule on a sensor, for example “Cellar above 30”. */
export function nameFor(sensor: string, { kind, variable, bound, upper }: Built): string {
  const field = variable.slice(PLAIN.length + 1).replaceAll('_', ' ');
  const number = (text: string) => (text === '' ? '…' : formatNumber(Number(text)));
  const rest: Partial<Record<Kind, string>> = {
    above: t('above {bound}', { bound: number(bound) }),
    below: t('below {bound}', { bound: number(bound) }),
    outside: t('outside {bound} to {upper}', { bound: number(bound), upper: number(upper) }),
  };
  return [sensor, field, rest[kind]].filter(Boolean).join(' ');
}

function suggest(values: readonly string[]): Suggestion | undefined {
  const field = firstNumber(values.at(-1) ?? '');
  if (field === undefined) return undefined;
  const numbers = values.map((value) => Number(field ? readFields(value)?.[field] : value)).filter(Number.isFinite);
  const bound = boundOf(numbers);
  if (bound === undefined) return undefined;
  return { variable: variableOf(field), bound: String(bound) };
}

/** The first field with a number; empty for a value that is a number itself, undefined if there is none. */
function firstNumber(value: string): string | undefined {
  const fields = readFields(value);
  if (!fields) return value.trim() !== '' && Number.isFinite(Number(value)) ? '' : undefined;
  return Object.entries(fields).find(([, one]) => typeof one === 'number')?.[0];
}

/** A round number that few values exceed; undefined if all are the same. */
function boundOf(numbers: readonly number[]): number | undefined {
  const sorted = [...numbers].sort((a, b) => a - b);
  const [low, high] = [sorted[0], sorted.at(-1)];
  const common = sorted[Math.floor((sorted.length - 1) * MOST_BELOW)];
  if (low === undefined || high === undefined || common === undefined) return undefined;
  if (sorted.length < FEWEST || low === high) return undefined;
  const step = stepOf((high - low) / 10);
  const bound = roundTo(common, step);
  return bound < high ? bound : roundTo(high - step, step);
}
