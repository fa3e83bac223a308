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

/** Selects the `ownerId` of a piece of work by its id. Absent for kinds with the id of a user. */
export type WorkOwners = Readonly<Partial<Record<WorkKind, string>>>;

/** Kinds that a lone process does by an id alone. */
export type SimpleKind = Exclude<WorkKind, 'evaluation' | 'request' | 'source'>;

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
  | { kind: 'source'; ids: readonly number[] }
  | { kind: SimpleKind; id: number };

/** `died`: the process ended, or did not answer in time. */
export type LoneEnd = { end: 'done'; hasMore: boolean } | { end: 'failed' | 'died'; reason: string };
