/** The kinds of work that may be set aside, and what the id of a piece of work names. */
export const WORK_KINDS = {
  evaluation: 'user',
  delivery: 'delivery',
  event: 'event',
  training: 'service',
  packing: 'sensor',
  selector: 'trigger',
  source: 'MQTT source',
  request: 'user',
} as const;

export type WorkKind = keyof typeof WORK_KINDS;

/** SQL that selects the `ownerId` of a piece of work by its id, for the kinds whose id is not that of a user. */
export type WorkOwners = Readonly<Partial<Record<WorkKind, string>>>;

/** The kinds whose work is named by an id alone, and can be done by a lone process. */
export type SimpleKind = Exclude<WorkKind, 'evaluation' | 'request'>;

/** Work that so many processes began and did not end is done alone. */
export const MOST_DEATHS = 3;

/** Partitions and owners are those of an evaluation pass. */
export type LoneTask =
  | {
      kind: 'evaluation';
      partition: number;
      ownerIds?: readonly number[];
      exceptOwnerIds?: readonly number[];
      sensorId?: number;
      mostPoints?: number;
      oldestPoint?: string | null;
      /** Takes the points without an evaluation, and gives the triggers this error. */
      unevaluated?: string;
    }
  | { kind: SimpleKind; id: number };

/** `died`: the process ended, or did not answer in time. */
export type LoneEnd = { end: 'done'; hasMore: boolean } | { end: 'failed' | 'died'; reason: string };
