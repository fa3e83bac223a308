import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import type { Note } from '../../storage/models/note.model';
import type { NoteAuthor } from './notes.service';

/** The user who wrote a note: the owner of the sensor. Hidden details are `""`. */
export interface NoteUserView {
  /** @example "2" */
  id: string;
  /** @example "grace" */
  username: string;
}

/** A note at a moment or a period of a sensor's data. */
export interface NoteView {
  /** @example "12" */
  id: string;
  /**
   * Unix seconds: the moment, or the start of the period.
   * @example 1795229544.125
   */
  date: number;
  /**
   * Unix seconds: the end of the period; `null` for a moment.
   * @example 1795233144
   */
  end_date: number | null;
  /** @example "window open for the painter" */
  text: string;
  user: NoteUserView;
}

/** The response with one note. */
export interface NoteResponse {
  note: NoteView;
}

/** The response with a page of notes. */
export interface NotesResponse extends PageTotal {
  notes: NoteView[];
}

export function toNoteView({ id, dateMs, endMs, text }: Note, { id: userId, username }: NoteAuthor): NoteView {
  return {
    id: String(id),
    date: toUnixSeconds(dateMs),
    end_date: toUnixSecondsOrNull(endMs),
    text,
    user: { id: userId === undefined ? '' : String(userId), username },
  };
}
