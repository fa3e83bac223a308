import type { Kind } from '../../csv/types';
import { t } from '../../language';

/** The kinds of values of a sensor, in the user's words. */
export const KINDS: readonly (readonly [kind: Kind, text: string])[] = [
  ['float', t('Numbers')],
  ['boolean', t('True or false')],
  ['string', t('Text')],
  ['json', t('Several fields (JSON)')],
];

const SAME: readonly (readonly [type: RegExp, kind: Kind])[] = [
  [/^(?:float|double|number|numeric|int|integer|long)$/i, 'float'],
  [/^bool(?:ean)?$/i, 'boolean'],
  [/^string$/i, 'string'],
  [/^json$/i, 'json'],
];

/** The kind of a sensor's values; undefined if its type is unknown here. */
export function kindOfSensor(dataType: string): Kind | undefined {
  return SAME.find(([type]) => type.test(dataType.trim()))?.[1];
}

/** The kind of values of a sensor, in the user's words; an unknown type unchanged. */
export function valuesText(dataType: string): string {
  const kind = kindOfSensor(dataType);
  return kind ? kindText(kind) : dataType;
}

export function kindText(kind: Kind): string {
  return KINDS.find(([one]) => one === kind)?.[1] ?? kind;
}
