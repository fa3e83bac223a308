import { loadPoints } from '../../chart/load';
import type { Points } from '../../chart/points';
import { shapesOfAll } from '../../chart/shape';
import { isGap } from '../../csv/gaps';
import { t } from '../../language';
import { formatNumber } from '../../quantity';
import { useResource } from '../../use-resource';
import { kindOfSensor } from '../sensors/value-kinds';
import { boundAbove } from './bound';
import { type Built, type Kind, PLAIN, readLabel, variableOf } from './built-rule';
import type { TrialSensor } from './trial';

/** A suggested rule, which does not fire on the data of ordinary days. */
export interface Suggestion {
  /** The value fires above the bound. */
  variable: string;
  bound: string;
}

const MONTH = 30 * 86_400;

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
    const points = await loadPoints(sensor.id, { from: Math.max(from, to - MONTH), to }, signal);
    // In a text sensor 21 is a text, which no rule can compare with a number.
    if (kindOfSensor(sensor.dataType) === 'string') {
      const filled = points.values.filter((value) => !isGap(value));
      return { isTextOfNumbers: filled.length > 0 && filled.every((value) => Number.isFinite(Number(value))) };
    }
    return { suggestion: suggest(sensor, points), isTextOfNumbers: false };
  });
  return found.data;
}

/** A name for a rule on a sensor, for example “Cellar above 30”. */
export function nameFor(sensor: string, { kind, variable, bound, upper }: Built): string {
  const field = variable.slice(PLAIN.length + 1).replaceAll('_', ' ');
  const number = (text: string) => (text === '' ? '…' : (readLabel(text)?.name ?? formatNumber(Number(text))));
  const rest: Partial<Record<Kind, string>> = {
    above: t('above {bound}', { bound: number(bound) }),
    below: t('below {bound}', { bound: number(bound) }),
    outside: t('outside {bound} to {upper}', { bound: number(bound), upper: number(upper) }),
    'changes-by': t('changes by {bound}', { bound: number(bound) }),
    'unchanged-for': t('unchanged'),
    'average-over': t('average above {bound}', { bound: number(bound) }),
    'no-data': t('no data'),
  };
  return [sensor, field, rest[kind]].filter(Boolean).join(' ');
}

function suggest(sensor: TrialSensor, points: Points): Suggestion | undefined {
  const [line] = shapesOfAll([sensor], new Map([[sensor.id, points]])).lines;
  if (!line) return undefined;
  const bound = boundAbove(line);
  return bound === undefined ? undefined : { variable: variableOf(line.field), bound: String(bound) };
}
