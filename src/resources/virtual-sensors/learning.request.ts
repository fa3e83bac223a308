import { InvalidInput } from '../../platform/errors';
import type { LabelledRange } from '../../rules/time-range';
import { type DateInput, readPointDate } from '../formats/dates';

const MAX_LABEL = 255;

/** A time range and the label of its state. */
export interface ManualLearnRequest {
  /**
   * Unix seconds: the start of the range, inclusive.
   * @example 1795229500
   */
  start_date: DateInput;
  /**
   * Unix seconds: the end of the range, inclusive.
   * @example 1795229560
   */
  end_date: DateInput;
  /**
   * The label of the state, 1 to 255 characters.
   * @example "walking"
   */
  class_label: string;
}

/** Reads the range and its label. Spaces around a label are removed. */
export function readLabelledRange({ start_date, end_date, class_label }: ManualLearnRequest): LabelledRange {
  const startMs = readPointDate(start_date, 'start_date');
  const endMs = readPointDate(end_date, 'end_date');
  if (endMs < startMs) throw InvalidInput.field('end_date', 'must not be before start_date');
  const label = class_label.trim();
  if (label === '') throw InvalidInput.field('class_label', 'must not be empty');
  if ([...label].length > MAX_LABEL) throw InvalidInput.field('class_label', `is longer than ${MAX_LABEL} characters`);
  return { startMs, endMs, label };
}
