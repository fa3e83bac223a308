import type { Threshold } from '../../chart/marks';
import { t } from '../../language';
import { formatNumber } from '../../quantity';
import { type Labels, linesOf, read } from '../trigger/built-rule';

/** The rule of a trigger on a sensor. */
export interface Rule {
  name: string;
  active: boolean;
  expression: string | null;
  resolve_expression: string | null;
}

/** The numbers that the active triggers of a sensor compare values with, as far as the rule builder reads them. */
export function thresholdsOf(sensorId: string, triggers: readonly Rule[], labels?: Labels): Threshold[] {
  return triggers
    .filter(({ active }) => active)
    .flatMap(({ name, expression, resolve_expression: resolve }) => {
      const built = read({
        expression: expression ?? '',
        inactivity: '',
        hold: '',
        resolveExpression: resolve ?? '',
        keepFiringFor: '',
      });
      return linesOf(built, labels).map((line) => {
        const [number, title] = [formatNumber(line.value), line.isEnd ? t('{name} ends', { name }) : name];
        const label = title.endsWith(` ${number}`) ? title : `${title} ${number}`;
        return { ...line, sensorId, label };
      });
    });
}
