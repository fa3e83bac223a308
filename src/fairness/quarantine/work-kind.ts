/** The kinds of work that may be set aside. `thing`: what the id of a piece of work names. */
export const WORK_KINDS = {
  evaluation: { thing: 'user', owner: 'SELECT ? AS ownerId' },
  delivery: { thing: 'delivery', owner: 'SELECT owner_id AS ownerId FROM deliveries WHERE id = ?' },
  event: { thing: 'event', owner: 'SELECT user_id AS ownerId FROM events WHERE id = ?' },
  training: { thing: 'service', owner: 'SELECT owner_id AS ownerId FROM sensors WHERE id = ?' },
  packing: { thing: 'sensor', owner: 'SELECT owner_id AS ownerId FROM sensors WHERE id = ?' },
  selector: { thing: 'trigger', owner: 'SELECT owner_id AS ownerId FROM triggers WHERE id = ?' },
  source: { thing: 'MQTT source', owner: 'SELECT owner_id AS ownerId FROM mqtt_sources WHERE id = ?' },
  request: { thing: 'user', owner: 'SELECT ? AS ownerId' },
} as const;

export type WorkKind = keyof typeof WORK_KINDS;

/** The kinds whose work is named by an id alone, and can be done by a lone process. */
export type SimpleKind = Exclude<WorkKind, 'evaluation' | 'request' | 'source'>;

/** Work is done alone once this many processes have begun it and not ended it. */
export const MOST_DEATHS = 3;

/** A piece of work for the lone process. Partitions and owners are those of an evaluation pass. */
export type LoneTask =
  | {
      kind: 'evaluation';
      partition: number;
      ownerIds?: readonly number[];
      exceptOwnerIds?: readonly number[];
      sensorId?: number;
      mostPoints?: number;
      oldestPoint?: string | null;
      /** If given, the points are taken from the inbox without an evaluation, and the triggers get this error. */
      unevaluated?: string;
    }
  | { kind: 'source'; ids: readonly number[] }
  | { kind: SimpleKind; id: number };

/** How a task ended. `died`: its process has ended, or did not answer in time. */
export type LoneEnd = { end: 'done'; hasMore: boolean } | { end: 'failed' | 'died'; reason: string };
