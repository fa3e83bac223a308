import type { DataPoint, SensorDataPoint } from '../rules/data-point';
import { type Compiled, compileExpression, MAX_EXPRESSION_LENGTH, type Variables } from '../rules/expression';
import { LruCache, weightOfText } from '../rules/lru-cache';
import { type ExpressionValue, readValue } from '../rules/sensor-value';
import { fieldsOf } from './input-values';
import {
  type Computed,
  type Json,
  type MethodOutcome,
  type ServiceInput,
  type ServiceState,
  sensorService,
} from './sensor-service';

type Settings = { readonly expression: string; readonly useDataTimestamp: boolean };

type NewestValue = { readonly value: string; readonly dateMs: number };

/** The newest value of each input by its id, and the date of the last output. */
type Memory = {
  readonly newest: { readonly [sensorId: string]: NewestValue };
  readonly writtenMs: number;
};

type State = ServiceState<Settings, Memory>;

/** A string constant, or an input with one field after a dot. */
const QUOTED_OR_DOTTED = /"(?:[^"\\]|\\.)*"|(?<![\w.])(_\d\w*)\.([A-Za-z_]\w*)(?![\w.])/g;

/**
 * Computes an expression over its inputs at each arrival, once every input has a value. An input is the variable
 * `_<sensor id>_<sensor name>`, a field of it `_<sensor id>_<sensor name>_<field>` or with a dot before the field; the
 * id identifies the sensor, so a renamed sensor keeps working. A point older than the newest of its input, or equal to
 * it, changes nothing. The output has the date of the arrival (outputs of one moment are a millisecond apart, so that
 * none replaces another) or, with SetUseDataTimestamp, the newest date of the values that it uses.
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
  points: readonly SensorDataPoint[],
  nowMs: number,
): Computed<Memory> {
  const newest: Record<string, NewestValue> = { ...memory.newest };
  const outputs: DataPoint[] = [];
  let { writtenMs } = memory;
  let error: string | null = null;
  const compiled = settings.expression === '' ? null : compileFor(settings.expression, inputs);
  const variables = new InputVariables(inputs, newest);
  for (const { sensorId, value, dateMs } of points) {
    if (!isNews({ value, dateMs }, newest[sensorId])) continue;
    newest[sensorId] = { value, dateMs };
    variables.take(sensorId, dateMs);
    if (!compiled || inputs.some((input) => !newest[input.sensorId])) continue;
    const result = compiled.ok ? compiled.expression.evaluateToValue(variables.all) : compiled;
    error = result.ok ? null : result.error;
    if (!result.ok) continue;
    writtenMs = settings.useDataTimestamp ? newestDateOf(inputs, newest) : Math.max(nowMs, writtenMs + 1);
    outputs.push({ value: String(result.value), dateMs: writtenMs });
  }
  const kept = Object.entries(newest).filter(([id]) => inputs.some(({ sensorId }) => String(sensorId) === id));
  return { outputs, memory: { newest: Object.fromEntries(kept), writtenMs }, error };
}

/** True if a point is newer than the newest of its input, or has another value at the same date. */
function isNews(point: NewestValue, known: NewestValue | undefined): boolean {
  if (!known || point.dateMs > known.dateMs) return true;
  return point.dateMs === known.dateMs && point.value !== known.value;
}

function newestDateOf(inputs: readonly ServiceInput[], newest: Memory['newest']): number {
  return Math.max(...inputs.map(({ sensorId }) => newest[sensorId]?.dateMs ?? 0));
}

// Compiling takes longer than most evaluations, and every pass of a service needs it.
const compiledTexts = new LruCache<string, Compiled>(150_000, weightOfText);

function compileFor(text: string, inputs: readonly ServiceInput[]): Compiled {
  const ids = new Set(inputs.map(({ sensorId }) => String(sensorId)));
  const variables = (name: string) => ids.has(idIn(name) ?? '');
  const compile = () => compileExpression(withoutDots(text), { variables, meaningOf });
  return text.length > MAX_EXPRESSION_LENGTH * 2 ? compile() : compiledTexts.get(`${[...ids].join()} ${text}`, compile);
}

function meaningOf(unknown: string): string | undefined {
  return unknown.startsWith('_') ? undefined : `an input is written with the id of its sensor, as in "_5_${unknown}"`;
}

/**
 * Older clients write `_5_battery.level`. The result has the length of the given text, so that positions in it stay
 * valid.
 */
function withoutDots(text: string): string {
  // A text that is too long is refused anyway.
  if (text.length > MAX_EXPRESSION_LENGTH * 2) return text;
  return text.replace(QUOTED_OR_DOTTED, (found, variable?: string, field?: string) =>
    variable === undefined ? found : `${variable}_${field}`,
  );
}

function idIn(variable: string): string | undefined {
  return /^_(\d+)(_|$)/.exec(variable)?.[1];
}

/** The value of an input: as a whole, or the fields of an object by the names that variables end with. */
type InputValue = { whole: ExpressionValue } | { fields: ReadonlyMap<string, ExpressionValue> };

/**
 * Every variable that could mean one of the inputs, read on demand: each value is parsed once per change. Formulas
 * cannot name the date; the time functions read it.
 */
class InputVariables {
  readonly all: Variables;
  private readonly inputs: ReadonlyMap<string, ServiceInput>;
  private readonly values = new Map<string, InputValue>();
  private dateMs = 0;

  constructor(
    inputs: readonly ServiceInput[],
    private readonly newest: Memory['newest'],
  ) {
    this.inputs = new Map(inputs.map((input) => [String(input.sensorId), input]));
    this.all = new Proxy<Record<string, ExpressionValue>>(Object.create(null), {
      get: (_, name) => this.read(String(name)),
      getOwnPropertyDescriptor: (_, name) => {
        const value = this.read(String(name));
        return value === undefined ? undefined : { value, enumerable: true, configurable: true };
      },
    });
  }

  /** A point of an input has arrived: invalidates the cached value, and sets the date that time functions read. */
  take(sensorId: number, dateMs: number): void {
    this.values.delete(String(sensorId));
    this.dateMs = dateMs;
  }

  private read(variable: string): ExpressionValue | undefined {
    if (variable === 'sensor_data_date') return this.dateMs / 1000;
    const id = idIn(variable);
    const value = id === undefined ? undefined : this.valueOf(id);
    if (!value) return undefined;
    return 'whole' in value ? value.whole : longestField(value.fields, variable);
  }

  private valueOf(id: string): InputValue | undefined {
    const known = this.values.get(id);
    const input = this.inputs.get(id);
    const stored = this.newest[id]?.value;
    if (known || !input || stored === undefined) return known;
    const value = toInputValue(readValue(stored, input.dataType));
    this.values.set(id, value);
    return value;
  }
}

function toInputValue(value: ExpressionValue): InputValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { whole: value };
  return { fields: new Map(Object.entries(value)) };
}

/** The longest field whose name, after an underscore, is the end of the variable's name. */
function longestField(fields: ReadonlyMap<string, ExpressionValue>, variable: string): ExpressionValue | undefined {
  for (let at = variable.indexOf('_', 1); at >= 0; at = variable.indexOf('_', at + 1)) {
    const field = variable.slice(at + 1);
    if (fields.has(field)) return fields.get(field);
  }
  return undefined;
}
