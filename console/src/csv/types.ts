/** A record of a file, and the line on which it begins; the first line of a file is 1. */
export interface TableRecord {
  line: number;
  cells: readonly string[];
}

/** What a column is taken for. */
export type Role = 'date' | 'time' | 'number' | 'boolean' | 'text' | 'json' | 'variable' | 'unused';

/** Which comes first where the year is last. */
export type Order = 'day' | 'month';

/** What is done with lines of one date: all are kept, a millisecond apart, or the last one is. */
export type Sharing = 'apart' | 'last';

/** What a person has decided about a file; where nothing is said the file decides. */
export interface Choices {
  /** A name of the IANA database, or an offset such as `+01:00`. */
  zone?: string;
  order?: Order;
  roles?: Readonly<Record<number, Role>>;
  /** Whether a column of names makes each line a field of its own. */
  long?: boolean;
  sharing?: Sharing;
  /** Whether lines that are more than a day ahead are stored as well. */
  ahead?: boolean;
}

/** Where the reader is, and when. */
export interface Surroundings {
  zone: string;
  nowMs: number;
}

/** Why lines are left out. */
export type Reason = 'value' | 'date' | 'never' | 'cells' | 'kind' | 'ahead' | 'old' | 'quote' | 'size';

export interface LeftOut {
  reason: Reason;
  count: number;
  /** The first few, each with what is wrong. */
  examples: readonly { line: number; text: string }[];
}

/** A column as it is shown before anything is stored. */
export interface ColumnView {
  at: number;
  name: string;
  role: Role;
  /** The first cell that holds something, as it is written and as it is read. */
  written: string;
  read: string;
  /** Why it is taken for this, where that is not plain to see. */
  note: string;
}

export type Kind = 'float' | 'boolean' | 'string' | 'json';

/** What was understood of a file. */
export interface Understanding {
  columns: readonly ColumnView[];
  separator: string;
  /** The number of the line with the names; undefined without one. */
  namesAt: number | undefined;
  kind: Kind;
  zone: string;
  /** Whether there are dates without an offset. */
  usesZone: boolean;
  /** The time zone that the file itself names. */
  zoneOfFile: string | undefined;
  /** Present where the cells do not say whether the day or the month is first; `chosen` is what a person has said. */
  order: { example: string; chosen: Order | undefined } | undefined;
  /** Present where a column holds the names of fields. */
  long: { column: string; names: readonly string[]; used: boolean } | undefined;
  /** Lines with data, whether they can be read or not. */
  lines: number;
  /** Lines that are in a point. */
  used: number;
  points: number;
  first: number | undefined;
  last: number | undefined;
  leftOut: readonly LeftOut[];
  /** Lines that share their date with others, after those that repeat one word for word. */
  shared: { lines: number; dates: number; examples: readonly number[]; sharing: Sharing };
  repeated: number;
  /** Lines with a time that clocks show twice, of which the first is taken. */
  twice: { lines: number; examples: readonly number[] };
  ahead: number;
}

/** A point as it is uploaded; the date in milliseconds. */
export interface FilePoint {
  ms: number;
  value: string | Record<string, unknown>;
}
