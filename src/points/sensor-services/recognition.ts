import type { SensorDataPoint } from '../data-points/data-point';
import { canRecognise, type Model } from './learning/classifier';
import { type RecogniserMemory, recogniseReadings } from './learning/recogniser';
import { EMPTY_BUFFER, type Reading } from './learning/windows';
import { readModel } from './learnt-model';
import {
  type Computed,
  type Json,
  type LearningProgress,
  type MethodOutcome,
  type SensorService,
  type SensorShape,
  type ServiceInput,
  type ServiceState,
  sensorService,
} from './sensor-service';

type Settings = { readonly windowMs: number; readonly manual: boolean };
type Memory = RecogniserMemory | null;
type State = ServiceState<Settings, Memory>;

/** Null if the service can use no field. */
export type ReadFields = (input: ServiceInput, value: string) => Record<string, number> | null;

export interface RecognitionKind {
  readonly name: string;
  readonly description: string;
  readonly windowMs: number;
  usableFields(sensor: SensorShape): readonly string[];
  readonly readFields: ReadFields;
  readonly unusable: string;
}

const MIN_SECONDS = 0.1;
const MAX_SECONDS = 31 * 86_400;

/**
 * Learns labeled ranges (manualLearn). With two labels, writes the label of each complete window, dated at its end. In
 * manual input mode it only learns.
 */
export function recognitionService(kind: RecognitionKind): SensorService {
  return sensorService<Settings & Json, Memory & Json>({
    name: kind.name,
    description: kind.description,
    output: { dataType: 'string', dataStructure: '' },
    usableFields: (sensor) => kind.usableFields(sensor),
    settings: { windowMs: kind.windowMs, manual: false },
    memory: null,
    methods: [
      { name: 'GetClassLabels', parameters: [], returns: 'array', get: ({ model }) => JSON.stringify(labelsOf(model)) },
      {
        name: 'GetLearningProgress',
        parameters: [],
        returns: 'object',
        get: ({ learning }) => progressText(learning),
      },
      { name: 'GetConfidence', parameters: [], returns: 'float', get: ({ memory }) => confidenceOf(memory) },
      {
        name: 'GetManualInputMode',
        parameters: [],
        returns: 'boolean',
        get: ({ settings }) => String(settings.manual),
      },
      { name: 'SetManualInputMode', parameters: ['manual_input_mode'], returns: '', set: setManualInputMode },
      { name: 'GetWindow', parameters: [], returns: 'float', get: ({ settings }) => String(settings.windowMs / 1000) },
      { name: 'SetWindow', parameters: ['seconds'], returns: '', set: setWindow },
      { name: 'ForgetClassLabel', parameters: ['class_label'], returns: '', set: forgetClassLabel },
    ],
    compute: (state, points) => compute(kind, state, points),
    learns: true,
  });
}

export function windowMsOf(settings: string): number {
  const { windowMs }: Settings = JSON.parse(settings);
  return windowMs;
}

/** Null if the service cannot use the point. Recognition and learning share this function. */
export function readingOf(
  inputs: readonly ServiceInput[],
  { sensorId, value, dateMs }: SensorDataPoint,
  readFields: ReadFields,
): Reading | null {
  const input = inputs.find((each) => each.sensorId === sensorId);
  const values = input ? readFields(input, value) : null;
  return values === null ? null : { input: String(sensorId), atMs: dateMs, values };
}

function compute(kind: RecognitionKind, state: State, points: readonly SensorDataPoint[]): Computed<Memory> {
  const { inputs, settings, memory } = state;
  if (settings.manual) return { outputs: [], memory: memory && { ...memory, buffer: EMPTY_BUFFER }, error: null };
  const model = readModel(state.model);
  const readings = points.map((point) => readingOf(inputs, point, kind.readFields));
  const recognised = recogniseReadings(
    memory,
    readings.filter((reading) => reading !== null),
    { model, windowMs: settings.windowMs, inputs: inputs.map(({ sensorId }) => String(sensorId)) },
  );
  return {
    outputs: recognised.states.map(({ label, atMs }) => ({ value: label, dateMs: atMs })),
    memory: recognised.memory,
    error: errorOf(kind, model, readings),
  };
}

function errorOf(kind: RecognitionKind, model: Model | null, readings: readonly (Reading | null)[]): string | null {
  if (readings.at(-1) === null) return kind.unusable;
  return model === null || !canRecognise(model) ? 'fewer than two labels have been learnt' : null;
}

function setManualInputMode({ settings }: State, [text = '']: readonly string[]): MethodOutcome<Settings> {
  if (!/^(1|0|true|false)$/i.test(text)) return { refused: 'must be 1 or 0' };
  return { settings: { ...settings, manual: /^(1|true)$/i.test(text) } };
}

const LEARNT = 'the labels were learnt with another length; forget them first';

function setWindow({ settings, model, learning }: State, [text = '']: readonly string[]): MethodOutcome<Settings> {
  const seconds = text.trim() === '' ? Number.NaN : Number(text);
  if (!(seconds >= MIN_SECONDS && seconds <= MAX_SECONDS)) {
    return { refused: `must be a number of seconds, from ${MIN_SECONDS} to ${MAX_SECONDS}` };
  }
  const windowMs = Math.round(seconds * 1000);
  if (windowMs === settings.windowMs) return { settings };
  if (labelsOf(model).length > 0) return { refused: LEARNT };
  if (learning?.waiting) return { refused: 'a range waits to be learnt with another length' };
  if (learning?.labels.length) return { refused: LEARNT };
  return { settings: { ...settings, windowMs } };
}

function forgetClassLabel(
  { settings, model, learning }: State,
  [label = '']: readonly string[],
): MethodOutcome<Settings> {
  const isKnown = labelsOf(model).includes(label) || learning?.labels.includes(label);
  if (!isKnown) return { refused: 'is no label that has been learnt' };
  return { settings, forgetLabel: label };
}

function progressText(progress: LearningProgress | undefined): string {
  const { waiting = 0, points = 0, read = 0, error = null } = progress ?? {};
  // A range counts as learnt only after all of it was read.
  const percent = waiting === 0 ? 100 : Math.min(99, Math.floor((100 * read) / points));
  return JSON.stringify({ waiting, points, read, percent, error });
}

function confidenceOf(memory: Memory): string {
  return String(Math.round((memory?.latest?.confidence ?? 0) * 1000) / 1000);
}

function labelsOf(model: string | null): readonly string[] {
  return readModel(model)?.labels ?? [];
}
