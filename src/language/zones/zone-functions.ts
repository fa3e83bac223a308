import { CannotEvaluate } from '../evaluation-cost';
import type { Operand } from '../expression-comparison';
import type { ExpressionValue } from '../sensor-value';
import { type SensorZones, Whereabouts } from './sensor-zones';

export type ZoneFunction = 'zone' | 'last_zone' | 'in_zone';

/** Numbers of written arguments. */
export const ZONE_ARGUMENTS: ReadonlyMap<string, number> = new Map<ZoneFunction, number>([
  ['zone', 0],
  ['last_zone', 0],
  ['in_zone', 1],
]);

/** The last argument is not written. A label may name a zone by a number. */
export const ZONE_FUNCTIONS: Record<string, (...items: Operand[]) => Operand> = {
  in_zone: (name: Operand, here: Operand) => {
    const isName = typeof name === 'string' || typeof name === 'number';
    if (!isName || !(here instanceof Whereabouts)) throw new CannotEvaluate('in_zone needs the name of an environment');
    return here.isIn(String(name));
  },
};

export function isZoneFunction(name: string): name is ZoneFunction {
  return ZONE_ARGUMENTS.has(name);
}

/** The variable whose position a function reads. */
export function valueOfZone(name: ZoneFunction): 'sensor_data_value' | 'last_sensor_data_value' {
  return name === 'last_zone' ? 'last_sensor_data_value' : 'sensor_data_value';
}

/** What a function reads of the zones: the name of one, or where the value is. Throws CannotEvaluate. */
export function zoneOperand(name: ZoneFunction, value: ExpressionValue, zones: SensorZones | undefined): Operand {
  if (!zones) throw new Error('the zones are not given');
  const here = new Whereabouts(value, zones);
  return name === 'in_zone' ? here : here.zone;
}

const NAMES = new RegExp(`\\b(?:${[...ZONE_ARGUMENTS.keys()].join('|')})\\s*\\(`, 'u');

const LAST_ZONE = /\blast_zone\s*\(/u;

const NAMED = /\bin_zone\s*\(\s*"([^"\\]+)"\s*\)/gu;

/** The names that are written in `in_zone`. */
export function zonesNamedIn(text: string | null): string[] {
  return [...(text ?? '').matchAll(NAMED)].map(([, name = '']) => name);
}

type Texts = readonly (string | null | undefined)[];

/** False if no text reads a zone. Nothing is compiled, which would take a hundred times as long. */
export function mayHaveZones(...texts: Texts): boolean {
  return texts.some((text) => text && NAMES.test(text));
}

export function mayHaveLastZone(...texts: Texts): boolean {
  return texts.some((text) => text && LAST_ZONE.test(text));
}
