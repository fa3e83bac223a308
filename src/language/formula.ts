import { LruCache, weightOfText } from '../platform/lru-cache';
import type { Compiled, CompiledWindow, Variables } from './compiled-expression';
import { compileExpression, MAX_EXPRESSION_LENGTH } from './expression';
import type { ExpressionValue, WrittenPart } from './sensor-value';

const QUOTED_OR_DOTTED = /"(?:[^"\\]|\\.)*"|(?<![\w.])(_\d\w*)\.([A-Za-z_]\w*)(?!\w|\s*[.[])/g;

// Compiling takes longer than most evaluations.
const compiledTexts = new LruCache<string, Compiled>(150_000, weightOfText);

/**
 * A sensor is `_<sensor id>_<sensor name>`, a field has `_<field>` behind it. Only the id finds the sensor. A window
 * reads one sensor.
 */
export function compileFormula(text: string, sensorIds: readonly number[]): Compiled {
  const ids = new Set(sensorIds.map(String));
  const names = {
    variables: (name: string) => ids.has(idIn(name) ?? ''),
    withFields: ownerOf,
    meaningOf,
    hasLabels: true,
  };
  const compile = () =>
    compileExpression(withoutDots(text), { ...names, windows: { ...names, hasLabels: false, windowProblem } });
  return text.length > MAX_EXPRESSION_LENGTH * 2 ? compile() : compiledTexts.get(`${[...ids].join()} ${text}`, compile);
}

export function sensorOfWindow({ x }: CompiledWindow): number {
  const [name = ''] = x.names;
  return Number(idIn(name));
}

/** Reads variables when needed. `inputOf` returns the value of a sensor by its id. */
export function formulaVariables(
  inputOf: (id: string) => ExpressionValue | undefined,
  dateMs: () => number = () => 0,
): Variables {
  const read = (name: string): ExpressionValue | undefined => {
    // Formulas cannot name the date; the time functions read it.
    if (name === 'sensor_data_date') return dateMs() / 1000;
    const id = WHOLE.test(name) ? name : idIn(name);
    const value = id === undefined ? undefined : inputOf(id);
    return value === undefined || id === name ? value : partNamedBy(name, value);
  };
  return new Proxy<Record<string, ExpressionValue>>(Object.create(null), {
    get: (_, name) => read(String(name)),
    getOwnPropertyDescriptor: (_, name) => {
      const value = read(String(name));
      return value === undefined ? undefined : { value, enumerable: true, configurable: true };
    },
  });
}

/** Every variable in a window means the value of one point. */
export function variablesOfPoint(value: ExpressionValue): Variables {
  return formulaVariables(() => value);
}

/** The name of a sensor's whole value: its id. No formula can write it. */
const WHOLE = /^\d+$/;

/** Fields after a dot or in quotes belong to the whole value, indexes to the variable's list. */
function ownerOf(name: string, part: WrittenPart): string | undefined {
  return typeof part === 'number' ? name : idIn(name);
}

function windowProblem(names: ReadonlySet<string>): string | undefined {
  const [first, ...others] = names;
  if (first === undefined) return 'reads no sensor, and has to read one';
  const other = others.find((name) => idIn(name) !== idIn(first));
  return other === undefined
    ? undefined
    : `reads several sensors, as in "${first}" and "${other}", and can read only one`;
}

function meaningOf(unknown: string): string | undefined {
  return unknown.startsWith('_') ? undefined : `an input is written with the id of its sensor, as in "_5_${unknown}"`;
}

/** Rewrites `_5_battery.level` of older clients. Keeps the length, so that positions stay valid. */
function withoutDots(text: string): string {
  if (text.length > MAX_EXPRESSION_LENGTH * 2) return text;
  return text.replace(QUOTED_OR_DOTTED, (found, variable?: string, field?: string) =>
    variable === undefined ? found : `${variable}_${field}`,
  );
}

function idIn(variable: string): string | undefined {
  return /^_(\d+)(_|$)/.exec(variable)?.[1];
}

/** The whole value, or the field with the longest name that ends the variable. */
function partNamedBy(variable: string, value: ExpressionValue): ExpressionValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  for (let at = variable.indexOf('_', 1); at >= 0; at = variable.indexOf('_', at + 1)) {
    const field = variable.slice(at + 1);
    if (Object.hasOwn(value, field)) return Reflect.get(value, field);
  }
  return undefined;
}
