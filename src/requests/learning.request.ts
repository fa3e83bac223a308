import { LAST_DATE_MS } from '../domain/dates';
import type { LabelledRange } from '../domain/time-range';
import { InvalidInput } from '../errors';

const MAX_LABEL = 255;

/** A range of time, and the state that it was. */
export interface ManualLearnRequest {
  /**
   * Unix seconds: where the range begins. Data of exactly this date belongs to it.
   * @example 1795229500
   */
  start_date: number;
  /**
   * Unix seconds: where the range ends. Data of exactly this date belongs to it.
   * @example 1795229560
   */
  end_date: number;
  /**
   * What the range is to be recognised as: a text of 1 to 255 characters.
   * @example "walking"
   */
  class_label: string;
}

/** Reads the range and its label; spaces around a label are no part of it. */
export function readLabelledRange({ start_date, end_date, class_label }: ManualLearnRequest): LabelledRange {
  const startMs = readDate(start_date, 'start_date');
  const endMs = readDate(end_date, 'end_date');
  if (endMs < startMs) throw InvalidInput.field('end_date', 'must not be before start_date');
  const label = class_label.trim();
  if (label === '') throw InvalidInput.field('class_label', 'must not be empty');
  if ([...label].length > MAX_LABEL) throw InvalidInput.field('class_label', `is longer than ${MAX_LABEL} characters`);
  return { startMs, endMs, label };
}

function readDate(seconds: number, field: string): number {
  const ms = Math.round(seconds * 1000);
  if (!(ms >= 0 && ms <= LAST_DATE_MS)) {
    throw InvalidInput.field(field, 'must be a time in unix seconds, from 1970 to the year 9999');
  }
  return ms;
}
