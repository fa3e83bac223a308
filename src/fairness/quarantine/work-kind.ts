/** `thing`: what the id of a piece of work names. */
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

/** Kinds that a lone process does by an id alone. */
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
