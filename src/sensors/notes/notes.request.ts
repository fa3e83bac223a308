import { type DateInput, readDate, readPointDate } from '../../edge/dates';
import type { PageQuery } from '../../edge/paging';
import { withoutUndefined } from '../../platform/without-undefined';

/** The notes to list: those at moments and in periods that touch the range. 0 is no date. */
export interface NotesQuery extends PageQuery {
  /**
   * Unix seconds: the start of the range, inclusive.
   * @example 1795219200
   */
  start_date?: DateInput;
  /**
   * Unix seconds: the end of the range, inclusive.
   * @example 1795305600
   */
  end_date?: DateInput;
}

/** The fields of a note to change; others keep their values. */
export interface NoteFields {
  /**
   * Unix seconds: the moment, or the start of the period.
   * @example 1795229544.125
   */
  date?: DateInput;
  /**
   * Unix seconds: the end of the period, not before `date`; `null` for a moment.
   * @example 1795233144
   */
  end_date?: DateInput | null;
  /**
   * @minLength 1
   * @maxLength 500
   * @example "window open for the painter"
   */
  text?: string;
}

/** A new note. */
export interface NewNoteFields extends NoteFields {
  /**
   * Unix seconds: the moment, or the start of the period.
   * @example 1795229544.125
   */
  date: DateInput;
  /**
   * @minLength 1
   * @maxLength 500
   * @example "window open for the painter"
   */
  text: string;
}

/** Creates a note. */
export interface CreateNoteRequest {
  note: NewNoteFields;
}

/** Changes a note. */
export interface UpdateNoteRequest {
  note: NoteFields;
}

/** Reads a new note; InvalidInput for dates before 1970 or after the year 9999. */
export function readNewNote({ date, text, ...rest }: NewNoteFields) {
  return { ...readNoteChanges(rest), text, dateMs: readPointDate(date, 'note.date') };
}

/** Reads the changes of a note: null makes it a note at a moment, undefined does not change the field. */
export function readNoteChanges({ date, end_date: end, text }: NoteFields) {
  return withoutUndefined({
    text,
    dateMs: date === undefined ? undefined : readPointDate(date, 'note.date'),
    endMs: end === undefined || end === null ? end : readPointDate(end, 'note.end_date'),
  });
}

/** Reads the range of a list, in milliseconds; undefined without a limit. */
export function readNotesRange({ start_date: start, end_date: end }: NotesQuery) {
  return {
    startMs: start ? readDate(start, 'start_date') : undefined,
    endMs: end ? readDate(end, 'end_date') : undefined,
  };
}
