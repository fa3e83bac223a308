import { type Compiled, compileExpression, MAX_EXPRESSION_LENGTH, type Variables } from '../domain/expression';
import { type ExpressionValue, legalName, readValue } from '../domain/sensor-value';
import { fieldsOf } from './input-values';
import {
  type Computed,
  type Json,
  type MethodOutcome,
  type ServiceInput,
  type ServiceOutput,
  type ServicePoint,
  type ServiceState,
  sensorService,
} from './sensor-service';

type Settings = { readonly expression: string; readonly useDataTimestamp: boolean };

/** The newest value of each input by its id, and the date of the last output. */
type Memory = {
  readonly newest: { readonly [sensorId: string]: { readonly value: string; readonly dateMs: number } };
  readonly writtenMs: number;
};

type State = ServiceState<Settings, Memory>;

/** A text constant, or an input with one field after a dot. */
const QUOTED_OR_DOTTED = /"(?:[^"\\]|\\.)*"|(?<![\w.])(_\d\w*)\.([A-Za-z_]\w*)(?![\w.])/g;

/**
 * Computes an expression over its inputs at each arrival, once every input has a value. An input is the variable
 * `_<sensor id>_<sensor name>`, a field of it `_<sensor id>_<sensor name>_<field>` or with a dot before the field; the id
 * identifies the sensor, so that a renamed sensor keeps working. A point older than the newest of its input changes nothing,
 * nor does the same one again. The output is dated by
 * the arrival (outputs of one moment a millisecond apart, so that none replaces another) or, with SetUseDataTimestamp,
 * by the newest of the values that went into it.
 */
export const mathService = sensorService<Settings, Memory & Json>({
  name: 'math_service',
  description: 'Computes an expression over the newest values of its sensors whenever one of them gets a new value.',
  output: { dataType: 'float', dataStructure: '' },
  usableFields: (sensor) => fieldsOf(sensor, (isText) => !isText),
  settings: { expression: '', useDataTimestamp: false },
  memory: { newest: {}, writtenMs: 0 },
  methods: [
    { name: 'SetExpression', parameters: ['expression'], returns: '', set: setExpression },
    { name: 'GetExpression', parameters: [], returns: 'string', get: ({ settings }) => settings.expression },
    { name: 'SetUseDataTimestamp', parameters: ['use_data_timestamp'], returns: '', set: setUseDataTimestamp },
    {
      name: 'GetUseDataTimestamp',
      parameters: [],
      returns: 'boolean',
      get: ({ settings }) => String(settings.useDataTimestamp),
    },
  ],
  compute,
});

function setExpression({ inputs, settings }: State, [text = '']: readonly string[]): MethodOutcome<Settings> {
  const compiled = compileFor(text, inputs);
  return compiled.ok ? { settings: { ...settings, expression: text } } : { refused: compiled.error };
}

function setUseDataTimestamp({ settings }: State, [text = '']: readonly string[]): MethodOutcome<Settings> {
  if (!/^(1|0|true|false)$/i.test(text)) return { refused: 'must be 1 or 0' };
  return { settings: { ...settings, useDataTimestamp: /^(1|true)$/i.test(text) } };
}

function compute(
  { inputs, settings, memory }: State,
  points: readonly ServicePoint[],
  nowMs: number,
): Computed<Memory> {
  const newest = { ...memory.newest };
  const outputs: ServiceOutput[] = [];
  let { writtenMs } = memory;
  let error: string | null = null;
  const compiled = settings.expression === '' ? null : compileFor(settings.expression, inputs);
  for (const { sensorId, value, dateMs } of points) {
    const known = newest[sensorId];
    if (known && (dateMs < known.dateMs || (dateMs === known.dateMs && value === known.value))) continue;
    newest[sensorId] = { value, dateMs };
    if (!compiled || inputs.some((input) => !newest[input.sensorId])) continue;
    const result = compiled.ok ? compiled.expression.evaluateToValue(variablesOf(inputs, newest)) : compiled;
    error = result.ok ? null : result.error;
    if (!result.ok) continue;
    const dates = inputs.map((input) => newest[input.sensorId]?.dateMs ?? 0);
    writtenMs = settings.useDataTimestamp ? Math.max(...dates) : Math.max(nowMs, writtenMs + 1);
    outputs.push({ value: String(result.value), dateMs: writtenMs });
  }
  const kept = Object.entries(newest).filter(([id]) => inputs.some(({ sensorId }) => String(sensorId) === id));
  return { outputs, memory: { newest: Object.fromEntries(kept), writtenMs }, error };
}

function compileFor(text: string, inputs: readonly ServiceInput[]): Compiled {
  const ids = new Set(inputs.map(({ sensorId }) => String(sensorId)));
  return compileExpression(withoutDots(text), { variables: (name) => ids.has(idIn(name) ?? '') });
}

/** Older clients write `_5_battery.level`. As long as the text that was given, so that positions in it stay right. */
function withoutDots(text: string): string {
  // What is too long anyway is not worth a search.
  if (text.length > MAX_EXPRESSION_LENGTH * 2) return text;
  return text.replace(QUOTED_OR_DOTTED, (found, variable?: string, field?: string) =>
    variable === undefined ? found : `${variable}_${field}`,
  );
}

function idIn(variable: string): string | undefined {
  return /^_(\d+)(_|$)/.exec(variable)?.[1];
}

/** Every variable that could mean one of the inputs. Computed when asked for: an expression reads few of them. */
function variablesOf(inputs: readonly ServiceInput[], newest: Memory['newest']): Variables {
  const inputOf = (name: string) => inputs.find(({ sensorId }) => String(sensorId) === idIn(name));
  const read = (name: string): ExpressionValue | undefined => {
    const input = inputOf(name);
    const stored = input && newest[input.sensorId]?.value;
    return input && stored !== undefined ? pick(readValue(stored, input.dataType), name) : undefined;
  };
  return new Proxy<Record<string, ExpressionValue>>(Object.create(null), {
    get: (_, name) => read(String(name)),
    getOwnPropertyDescriptor: (_, name) => {
      const value = read(String(name));
      return value === undefined ? undefined : { value, enumerable: true, configurable: true };
    },
  });
}

/** The field that the variable's name ends with, the longest that fits; of a plain value the value itself. */
function pick(value: ExpressionValue, variable: string): ExpressionValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fitting = Object.entries(value).filter(([field]) => variable.endsWith(`_${legalName(field)}`));
  return fitting.sort(([a], [b]) => b.length - a.length)[0]?.[1];
}
