/** Things that get other ids. */
export type MappedKind = 'sensors' | 'environments' | 'groups' | 'dashboards';

/** What is not carried over, and why. */
export interface LeftOut {
  what: string;
  why: string;
}

/** How many were made, and how many were there already. */
export interface Counts {
  made: number;
  kept: number;
}

/** Where the next step of an import begins, and what is done. */
export interface ImportProgress {
  parts: number;
  /** Bytes of the file that have arrived. */
  bytes: number;
  phase: number;
  /** Lines, documents or points of the present entry that are done. */
  line: number;
  /** The id in the file of the last sensor whose data points are done. */
  sensor: number;
  points: number;
  /** Old ids and new ones. */
  ids: Record<MappedKind, Record<string, string>>;
  /** Old ids of what was not there before. */
  made: string[];
  counts: Record<MappedKind | 'services' | 'rules', Counts>;
  left: LeftOut[];
}

const none = (): Counts => ({ made: 0, kept: 0 });

export function importBegin(): ImportProgress {
  return {
    ...{ parts: 0, bytes: 0, phase: 0, line: 0, sensor: 0, points: 0, made: [], left: [] },
    ids: { sensors: {}, environments: {}, groups: {}, dashboards: {} },
    counts: {
      ...{ sensors: none(), services: none(), environments: none(), groups: none(), dashboards: none() },
      rules: none(),
    },
  };
}
