import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { NamedSensor } from '../../language/notification-text';
import { HAS_WAITING, IS_DEFERRED } from '../../notifications';
import { partsOf } from '../../platform/parts-of';
import { issueSlices, slices } from '../../storage/slices';
import type { EpisodeEnd, SensorFiring } from '../rules/sensor-state';

export interface Fired {
  firing: SensorFiring;
  sensor: NamedSensor;
  /** True if no earlier firing of the episode was delivered. */
  isFirst: boolean;
}

/** `firstId`: the first firing of the episode. */
export interface WrittenFiring {
  id: number;
  firstId: number;
  /** The first firing was muted, and has deliveries nonetheless. */
  isDeferred: boolean;
  /** Deliveries of the first firing wait. */
  hasWaiting: boolean;
  /** Deliveries of the episode are held, or were. */
  isHeld: boolean;
}

export interface Ended {
  end: EpisodeEnd;
  sensor: NamedSensor;
  /** Null if it is not delivered. */
  deliverAtMs: number | null;
}

/** A firing is a separate condition, so that every server uses the index. */
const FIRINGS_PER_LOOKUP = 500;

/** Returns ids by sensor trigger, which fires at most once per pass. */
export async function writeFirings(
  connection: PoolConnection,
  fired: readonly Fired[],
  nowMs: number,
): Promise<Map<number, WrittenFiring>> {
  const repeats = fired.filter(({ firing }) => firing.episodeMs !== firing.firedMs);
  const keys = repeats.map(({ firing }) => keyOf(firing, firing.episodeMs));
  // Usually there are no repeats: nothing is awaited, and all statements are pipelined with those of the caller.
  const episodeIds = keys.length === 0 ? new Map<string, FoundFiring>() : await findFirings(connection, keys);
  const firstOf = new Map(
    repeats.map(({ firing }) => [firing.sensorTriggerId, episodeIds.get(keyOf(firing, firing.episodeMs))]),
  );
  const values = fired.map(({ firing, sensor }) => [
    firing.ownerId,
    sensor.id,
    firing.triggerId,
    firing.triggerVersion,
    firing.sensorTriggerId,
    firing.reason,
    nowMs,
    JSON.stringify(firing.variables),
    firing.isMuted,
    firstOf.get(firing.sensorTriggerId)?.id ?? null,
    firing.episodeMs === firing.firedMs,
    firing.hold ?? 0,
    firing.dependsOn !== undefined,
  ]);
  const inserted = issueSlices(values, (slice) =>
    connection.query(
      `INSERT INTO firings (owner_id, sensor_id, trigger_id, trigger_version, sensor_trigger_id, reason, fired_ms, variables,
         muted, episode_id, is_lasting, hold_s, is_dependent) VALUES ?`,
      [slice],
    ),
  );
  const reading = connection.query<RowDataPacket[]>(
    'SELECT id, sensor_trigger_id AS sensorTriggerId FROM firings WHERE sensor_trigger_id IN (?) AND fired_ms = ?',
    [fired.map(({ firing }) => firing.sensorTriggerId), nowMs],
  );
  const [[rows]] = await Promise.all([reading, inserted]);
  return new Map(
    rows.map((row) => {
      const [sensorTriggerId, id] = [Number(row.sensorTriggerId), Number(row.id)];
      const first = firstOf.get(sensorTriggerId);
      const { isDeferred = false, hasWaiting = false, isHeld = false } = first ?? {};
      return [sensorTriggerId, { id, firstId: first?.id ?? id, isDeferred, hasWaiting, isHeld }];
    }),
  );
}

/** Writes ends into the rows of first firings. Returns these in the same order. */
export async function writeEnds(
  connection: PoolConnection,
  ended: readonly Ended[],
  nowMs: number,
): Promise<(FoundFiring | undefined)[]> {
  const found = await findFirings(
    connection,
    ended.map(({ end }) => keyOf(end, end.episode.beganMs)),
  );
  const firings = ended.map(({ end }) => found.get(keyOf(end, end.episode.beganMs)));
  const rows = ended.flatMap(({ end, sensor }, index) => {
    const id = firings[index]?.id;
    if (id === undefined) return [];
    const { ownerId, triggerId, sensorTriggerId, cause, episode, point } = end;
    const known = [id, ownerId, sensor.id, triggerId, sensorTriggerId, cause, episode.beganMs, ''];
    return [[...known, false, nowMs, 'data', point?.value ?? null, point?.dateMs ?? null]];
  });
  for (const slice of slices(rows)) {
    // The rows exist and are locked, so this statement only updates.
    await connection.query(
      `INSERT INTO firings (id, owner_id, sensor_id, trigger_id, sensor_trigger_id, reason, fired_ms, variables,
         is_lasting, ended_ms, resolved_by, end_value, end_date_ms) VALUES ?
       ON DUPLICATE KEY UPDATE is_lasting = VALUES(is_lasting), ended_ms = VALUES(ended_ms),
         resolved_by = VALUES(resolved_by), end_value = VALUES(end_value), end_date_ms = VALUES(end_date_ms)`,
      [slice],
    );
  }
  return firings;
}

function keyOf({ sensorTriggerId }: { sensorTriggerId: number }, firedMs: number): string {
  return `${sensorTriggerId} ${firedMs}`;
}

interface FoundFiring {
  id: number;
  hasWaiting: boolean;
  /** Muted, and has deliveries nonetheless: they wait for the end of the mute, or were sent then. */
  isDeferred: boolean;
  isDependent: boolean;
  isHeld: boolean;
  holds: boolean;
}

async function findFirings(connection: PoolConnection, keys: readonly string[]): Promise<Map<string, FoundFiring>> {
  const found = new Map<string, FoundFiring>();
  for (const part of partsOf(keys, FIRINGS_PER_LOOKUP)) {
    const [rows] = await connection.query<RowDataPacket[]>(
      `SELECT f.id, f.sensor_trigger_id AS sensorTriggerId, f.fired_ms AS firedMs, ${HAS_WAITING} AS hasWaiting,
         ${IS_DEFERRED} AS isDeferred, f.is_dependent AS isDependent, f.held_by AS heldBy, f.holds FROM firings f
       WHERE ${part.map(() => '(f.sensor_trigger_id = ? AND f.fired_ms = ?)').join(' OR ')} FOR UPDATE`,
      part.flatMap((key) => key.split(' ').map(Number)),
    );
    for (const { id, sensorTriggerId, firedMs, hasWaiting, isDeferred, isDependent, heldBy, holds } of rows) {
      found.set(keyOf({ sensorTriggerId }, firedMs), {
        id: Number(id),
        hasWaiting: Boolean(hasWaiting),
        isDeferred: Boolean(isDeferred),
        isDependent: Boolean(isDependent),
        isHeld: heldBy !== null,
        holds: Boolean(holds),
      });
    }
  }
  return found;
}
