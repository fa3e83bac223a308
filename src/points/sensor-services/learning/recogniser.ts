import { canRecognise, type Model, type Recognition, recognise } from './classifier';
import { describeWindow } from './features';
import { collect, EMPTY_BUFFER, type Reading, type WindowBuffer } from './windows';

export type RecogniserMemory = {
  readonly windowMs: number;
  readonly buffer: WindowBuffer;
  readonly latest: Recognition | null;
};

export interface RecognisedState extends Recognition {
  readonly atMs: number;
}

export interface RecogniserContext {
  readonly model: Model | null;
  readonly windowMs: number;
  readonly inputs: readonly string[];
}

/** Recognizes the windows that the readings complete. Without a model it keeps no readings. */
export function recogniseReadings(
  memory: RecogniserMemory | null,
  readings: readonly Reading[],
  { model, windowMs, inputs }: RecogniserContext,
): { memory: RecogniserMemory; states: RecognisedState[] } {
  const latest = memory?.latest ?? null;
  if (model === null || !canRecognise(model)) return { memory: { windowMs, buffer: EMPTY_BUFFER, latest }, states: [] };
  // Windows of another length do not fit these.
  const before = memory?.windowMs === windowMs ? memory.buffer : EMPTY_BUFFER;
  const { buffer, windows } = collect(before, readings, { lengthMs: windowMs, anchorMs: 0, inputs });
  const states = windows.map((window) => ({ ...recognise(model, describeWindow(window)), atMs: window.endMs }));
  const last = states.at(-1);
  const newest = last === undefined ? latest : { label: last.label, confidence: last.confidence };
  return { memory: { windowMs, buffer, latest: newest }, states };
}
