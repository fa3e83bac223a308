import type { Compiled, CompiledWindow, Evaluated } from '../../language/compiled-expression';
import { compileFormula, formulaVariables, sensorOfWindow } from '../../language/formula';
import type { SensorLabels } from '../../language/labels';
import { type ExpressionValue, readValue } from '../../language/sensor-value';
import type { PointWindows } from '../../language/windows/sensor-windows';
import { whyNotKept } from '../../language/windows/window-storage';
import { hasManyX, TOO_MANY_X } from '../../language/windows/written-windows';
import type { DataPoint, SensorDataPoint } from '../data-points/data-point';
import { fieldsOf } from './input-values';
import {
  type Computed,
  type Json,
  type MethodOutcome,
  type NeededWindows,
  type ServiceInput,
  type ServiceState,
  sensorService,
} from './sensor-service';

type Settings = { readonly expression: string; readonly useDataTimestamp: boolean };

type NewestValue = { readonly value: string; readonly dateMs: number };

type Memory = {
  readonly newest: { readonly [sensorId: string]: NewestValue };
  readonly writtenMs: number;
};

type State = ServiceState<Settings, Memory>;

/**
 * Computes at each arrival, once every input has a value. Variables are `_<sensor id>_<sensor name>`, with `_<field>`
 * or `.<field>` for a field; the id decides, so a renamed sensor keeps working. A point that is not newer than its
 * input changes nothing. Outputs of one moment are a millisecond apart, so that none replaces another; with
 * SetUseDataTimestamp they have the newest date of their values. Windows and functions of time end at the arrived
 * point.
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
  neededWindows,
  compute,
});

function setExpression({ inputs, settings }: State, [text = '']: readonly string[]): MethodOutcome<Settings> {
  const compiled = compileFor(text, inputs);
  if (!compiled.ok) return { refused: compiled.error };
  if (hasManyX(compiled.expression.windows)) return { refused: TOO_MANY_X };
  const refused = compiled.expression.windows.flatMap((window) => problemOf(window, inputs) ?? [])[0];
  return refused === undefined ? { settings: { ...settings, expression: text } } : { refused };
}

function problemOf(window: CompiledWindow, inputs: readonly ServiceInput[]): string | undefined {
  const sensorId = sensorOfWindow(window);
  const input = inputs.find((each) => each.sensorId === sensorId);
  const why = whyNotKept(window.seconds, input?.keptDays ?? null);
  return why && `"${window.name}" cannot be computed on the sensor ${sensorId}: ${why}`;
}

function setUseDataTimestamp({ settings }: State, [text = '']: readonly string[]): MethodOutcome<Settings> {
  if (!/^(1|0|true|false)$/i.test(text)) return { refused: 'must be 1 or 0' };
  return { settings: { ...settings, useDataTimestamp: /^(1|true)$/i.test(text) } };
}

function neededWindows({ inputs, settings, memory }: State, points: readonly SensorDataPoint[]): NeededWindows {
  const bySensor = new Map<number, CompiledWindow[]>();
  const compiled = settings.expression === '' ? undefined : compileFor(settings.expression, inputs);
  for (const window of compiled?.ok ? compiled.expression.windows : []) {
    const sensorId = sensorOfWindow(window);
    bySensor.set(sensorId, [...(bySensor.get(sensorId) ?? []), window]);
  }
  if (bySensor.size === 0) return { bySensor, dates: [] };
  const newest: Record<string, NewestValue> = { ...memory.newest };
  const dates = points.flatMap(({ sensorId, value, dateMs }) => {
    if (!isNews({ value, dateMs }, newest[sensorId])) return [];
    newest[sensorId] = { value, dateMs };
    return inputs.every((input) => newest[input.sensorId]) ? [dateMs] : [];
  });
  return { bySensor, dates };
}

function compute(
  { inputs, settings, memory, labels }: State,
  points: readonly SensorDataPoint[],
  nowMs: number,
  windows?: PointWindows,
): Computed<Memory> {
  const newest: Record<string, NewestValue> = { ...memory.newest };
  const outputs: DataPoint[] = [];
  let { writtenMs } = memory;
  let error: string | null = null;
  const compiled = settings.expression === '' ? null : compileFor(settings.expression, inputs);
  const variables = new InputVariables(inputs, newest);
  const evaluate = evaluator(compiled, variables, { windows, labels });
  for (const { sensorId, value, dateMs } of points) {
    if (!isNews({ value, dateMs }, newest[sensorId])) continue;
    newest[sensorId] = { value, dateMs };
    variables.take(sensorId, dateMs);
    if (!evaluate || inputs.some((input) => !newest[input.sensorId])) continue;
    const result = evaluate(dateMs);
    error = result.ok ? null : result.error;
    if (!result.ok) continue;
    writtenMs = settings.useDataTimestamp ? newestDateOf(inputs, newest) : Math.max(nowMs, writtenMs + 1);
    outputs.push({ value: String(result.value), dateMs: writtenMs });
  }
  const kept = Object.entries(newest).filter(([id]) => inputs.some(({ sensorId }) => String(sensorId) === id));
  return { outputs, memory: { newest: Object.fromEntries(kept), writtenMs }, error };
}

/** Null without an expression. Windows end at the date. */
function evaluator(
  compiled: Compiled | null,
  { all }: InputVariables,
  { windows, labels }: { windows: PointWindows | undefined; labels: SensorLabels | undefined },
): ((dateMs: number) => Evaluated<number | string | boolean>) | null {
  if (!compiled?.ok) return compiled && (() => compiled);
  const { expression } = compiled;
  return (dateMs) => {
    const windowResults = windows && ((window: CompiledWindow) => windows.valueOf(window, dateMs));
    return expression.evaluateToValue(all, { windowResults, labels });
  };
}

/** True if a point is newer than the newest of its input, or has another value at its date. */
function isNews(point: NewestValue, known: NewestValue | undefined): boolean {
  if (!known || point.dateMs > known.dateMs) return true;
  return point.dateMs === known.dateMs && point.value !== known.value;
}

function newestDateOf(inputs: readonly ServiceInput[], newest: Memory['newest']): number {
  return Math.max(...inputs.map(({ sensorId }) => newest[sensorId]?.dateMs ?? 0));
}

function compileFor(text: string, inputs: readonly ServiceInput[]): Compiled {
  return compileFormula(
    text,
    inputs.map(({ sensorId }) => sensorId),
  );
}

/** A value is parsed once per change. */
class InputVariables {
  readonly all = formulaVariables(
    (id) => this.valueOf(id),
    () => this.dateMs,
  );
  private readonly inputs: ReadonlyMap<string, ServiceInput>;
  private readonly values = new Map<string, ExpressionValue>();
  private dateMs = 0;

  constructor(
    inputs: readonly ServiceInput[],
    private readonly newest: Memory['newest'],
  ) {
    this.inputs = new Map(inputs.map((input) => [String(input.sensorId), input]));
  }

  take(sensorId: number, dateMs: number): void {
    this.values.delete(String(sensorId));
    this.dateMs = dateMs;
  }

  private valueOf(id: string): ExpressionValue | undefined {
    const known = this.values.get(id);
    const input = this.inputs.get(id);
    const stored = this.newest[id]?.value;
    if (known !== undefined || !input || stored === undefined) return known;
    const value = readValue(stored, input.dataType);
    this.values.set(id, value);
    return value;
  }
}
