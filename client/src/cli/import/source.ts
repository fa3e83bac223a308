/** A series of a source, which becomes a sensor. Objects are compared by identity: a source makes one for each series. */
export interface Series {
  /** Unique in the source, and the same in each run. */
  key: string;
  name: string;
  displayName?: string;
  /** Empty if values may be of any kind. */
  dataType: 'float' | 'boolean' | 'string' | 'json' | '';
  unit?: string;
  fieldUnits?: Readonly<Record<string, string>>;
  metatags: Readonly<Record<string, string>>;
}

export interface Entry {
  series: Series;
  dateMs: number;
  /** As it is stored: numbers keep their digits, objects are JSON. */
  value: string;
}

/** How a source reports while it is read. */
export interface Reading {
  /** Names what is not carried over; an example says where it is. */
  leaveOut(reason: string, example: string, count?: number): void;
  /** 0 to 1. */
  progress(done: number): void;
  /** Names a series that may have no new points: what is stored of it is counted as well. */
  seen(series: Series): void;
  /** The date of the last point that an earlier run has stored of a series; for sources that can begin behind it. */
  storedUntil(key: string): number | undefined;
}

export interface Source {
  /** `influx`, `csv`: names the origin of the sensors. */
  kind: string;
  /** Differs if the data does: an import of other data is not resumed. */
  identity: string;
  /** Where the state of the import is kept by default. */
  stateFile: string;
  /** True if it begins behind `storedUntil`; otherwise it gives all entries again, in the same order. */
  beginsBehind: boolean;
  /** Throws SourceError for data that it cannot read. */
  read(reading: Reading): AsyncIterable<readonly Entry[]>;
  /** After all points are stored: writes what is no series. */
  finish?(): Promise<void>;
  /** Said at the end: what belongs to no series. */
  notes?(): readonly string[];
}

/** Data that cannot be read, with its place: `file:line: reason`. */
export class SourceError extends Error {
  constructor(place: string, why: string) {
    super(`${place}: ${why}`);
    this.name = 'SourceError';
  }
}

/** A number as the platform reads it. */
export const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const MAX_SHOWN = 60;

/** A text of the source, short enough for a message. */
export function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
