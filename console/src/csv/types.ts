/** A record of a file, and the line on which it begins; the first line of a file is 1. */
export interface TableRecord {
  line: number;
  cells: readonly string[];
}

/** The role of a column. */
export type Role = 'date' | 'time' | 'number' | 'boolean' | 'text' | 'json' | 'variable' | 'unused';

/** The first part of a date whose year is last. */
export type Order = 'day' | 'month';

/** The treatment of lines of one date: all are kept, a millisecond apart, or only the last one. */
export type Sharing = 'apart' | 'last';

/** The user's decisions on a file; the file decides the rest. */
export interface Choices {
  /** A name of the IANA database, or an offset such as `+01:00`. */
  zone?: string;
  order?: Order;
  roles?: Readonly<Record<number, Role>>;
  /** True if a column of names makes each line a separate field. */
  long?: boolean;
  sharing?: Sharing;
  /** True if lines that are more than a day ahead are stored as well. */
  ahead?: boolean;
  /** By the name of the field: true if its filler stands for no value. */
  gaps?: Readonly<Record<string, boolean>>;
}

/** The zone of the reader, the current time, and the kind of the sensor, if there is one. */
export interface Surroundings {
  zone: string;
  nowMs: number;
  kind?: Kind | undefined;
}

/** A number far from all others that comes again and again, such as -999. */
export interface Filler {
  value: number;
  count: number;
  /** Undefined until the user has decided. */
  isGap: boolean | undefined;
}

/** Reason for a left-out line. */
export type Reason = 'value' | 'date' | 'never' | 'cells' | 'kind' | 'ahead' | 'old' | 'quote' | 'size' | 'table';

export interface LeftOut {
  reason: Reason;
  count: number;
  /** The first few lines, each with its problem. */
  examples: readonly { line: number; text: string }[];
}

/** A column in the preview. */
export interface ColumnView {
  at: number;
  name: string;
  role: Role;
  /** The first cell with content, as written and as read. */
  written: string;
  read: string;
  /** The unit of its numbers; empty if there is none. */
  unit: string;
  /** The reason for its role, if that is not obvious. */
  note: string;
}

export type Kind = 'float' | 'boolean' | 'string' | 'json';

/** The reading of a file for the preview. */
export interface Understanding {
  /** True if the user must decide something before anything can be stored. */
  isAsking: boolean;
  columns: readonly ColumnView[];
  separator: string;
  sheet: string | undefined;
  /** The number of the line with the names; undefined without one. */
  namesAt: number | undefined;
  kind: Kind;
  zone: string;
  /** True if there are dates without an offset. */
  usesZone: boolean;
  zoneOfFile: string | undefined;
  /** Present if the cells do not show whether the day or the month is first; `chosen` is the user's decision. */
  order: { example: string; chosen: Order | undefined } | undefined;
  /** Present if a column holds the names of fields. */
  long: { column: string; names: readonly string[]; used: boolean } | undefined;
  /** Number of lines with data, readable or not. */
  lines: number;
  /** Number of lines that are in a point. */
  used: number;
  points: number;
  first: number | undefined;
  last: number | undefined;
  leftOut: readonly LeftOut[];
  /** Cells that do not fit their column, in lines that have others. */
  cellsOut: { count: number; examples: LeftOut['examples'] };
  /** By field. */
  fillers: readonly (Filler & { name: string })[];
  /** Lines that share their date with others, after exact repetitions were removed. */
  shared: { lines: number; dates: number; examples: readonly number[]; sharing: Sharing };
  repeated: number;
  /** Lines with a time that local clocks show twice; the first one is used. */
  twice: { lines: number; examples: readonly number[] };
  ahead: number;
}

/** A point for the upload; the date in milliseconds. */
export interface FilePoint {
  ms: number;
  value: string | Record<string, unknown>;
}
