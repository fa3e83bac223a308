import fc from 'fast-check';
import type { Platform } from './platform';

/** A delivery of a firing, as a row. */
export interface StoredDelivery {
  /** A place in the list of notifications. */
  notification: number;
  kind: 'firing' | 'end' | 'acknowledgement';
  status: 'pending' | 'delivered' | 'failed';
  sentAfterMs: number;
  digest: number | null;
}

export interface StoredFiring {
  firedMs: number;
  deliveries: StoredDelivery[];
}

/** Of the sensor and the trigger at these places of the lists. */
export interface StoredEpisode {
  sensor: number;
  trigger: number;
  firings: [StoredFiring, ...StoredFiring[]];
  endedMs: number | null;
  acknowledgedMs: number | null;
}

export interface AlertOwner {
  id: string;
  sensorIds: readonly string[];
  triggerIds: readonly string[];
  notificationIds: readonly string[];
}

const MINUTE_MS = 60_000;
const DIGESTS_MS = Date.UTC(2026, 9, 24);

/** All deliveries of a digest were sent at one time. */
export function sentMsOf({ firedMs }: StoredFiring, { digest, sentAfterMs }: StoredDelivery): number {
  return digest === null ? firedMs + sentAfterMs : DIGESTS_MS + digest * 5 * 3_600_000;
}

const delivery = fc.record({
  notification: fc.nat(1),
  kind: fc.constantFrom('firing', 'end', 'acknowledgement'),
  status: fc.constantFrom('delivered', 'delivered', 'delivered', 'pending', 'failed'),
  sentAfterMs: fc.integer({ min: 0, max: 90 * MINUTE_MS }),
  digest: fc.option(fc.nat(2), { freq: 3 }),
});
const deliveries = fc.uniqueArray(delivery, { maxLength: 4, selector: (one) => `${one.notification} ${one.kind}` });

/** Episodes that begin in a range of minutes. */
export function episodesWithin(startMs: number, minutes: number): fc.Arbitrary<StoredEpisode[]> {
  const episode = fc.record({
    sensor: fc.nat(2),
    trigger: fc.nat(2),
    minute: fc.nat(minutes),
    firings: fc.array(deliveries, { minLength: 1, maxLength: 4 }),
    apart: fc.integer({ min: 1, max: 200 }),
    lasts: fc.option(fc.oneof(fc.integer({ min: 1, max: 600_000 }), fc.integer({ min: 1, max: 2 * 86_400_000 }))),
    acknowledgedAfter: fc.option(fc.integer({ min: 0, max: 3_600_000 })),
  });
  return fc.array(episode, { maxLength: 40 }).map((episodes) =>
    episodes.map(({ sensor, trigger, minute, apart, lasts, acknowledgedAfter, firings }, at) => {
      const beganMs = startMs + minute * MINUTE_MS + at; // the firings of a sensor trigger have different dates
      return {
        ...{ sensor, trigger },
        firings: firings.map((own, index) => ({
          ...{ firedMs: beganMs + index * apart * MINUTE_MS, deliveries: own },
        })) as StoredEpisode['firings'],
        endedMs: lasts === null ? null : beganMs + lasts,
        acknowledgedMs: acknowledgedAfter === null ? null : beganMs + acknowledgedAfter,
      };
    }),
  );
}

/** Writes the rows of episodes, as the platform would. */
export async function storeEpisodes(platform: Platform, owner: AlertOwner, episodes: readonly StoredEpisode[]) {
  for (const { sensor, trigger, firings, endedMs, acknowledgedMs } of episodes) {
    const pair = [owner.sensorIds[sensor], owner.triggerIds[trigger]];
    const [row] = await platform.query('SELECT id FROM sensor_triggers WHERE sensor_id = ? AND trigger_id = ?', pair);
    let episodeId: number | null = null;
    for (const firing of firings) {
      const first = episodeId === null ? [endedMs === null, endedMs, acknowledgedMs] : [false, null, null];
      await platform.query(
        `INSERT INTO firings (owner_id, sensor_id, trigger_id, sensor_trigger_id, reason, fired_ms, variables, episode_id,
           is_lasting, ended_ms, acknowledged_ms) VALUES (?)`,
        [[owner.id, ...pair, row?.id, 'expression', firing.firedMs, '{"sensor_data_date":null}', episodeId, ...first]],
      );
      const [last] = await platform.query('SELECT MAX(id) AS id FROM firings');
      episodeId ??= Number(last?.id);
      await storeDeliveries(platform, owner, Number(last?.id), firing);
    }
  }
}

async function storeDeliveries(platform: Platform, owner: AlertOwner, firingId: number, firing: StoredFiring) {
  for (const one of firing.deliveries) {
    const { notification, kind, status, digest } = one;
    const sentMs = status === 'pending' ? null : sentMsOf(firing, one);
    const about = [owner.id, owner.notificationIds[notification], kind, 'url', 'http://127.0.0.1:9/', '', status];
    await platform.query(
      `INSERT INTO deliveries (webhook_id, owner_id, notification_id, kind, type, destination, text, status, firing_id,
         sent_ms, created_ms, digest_id) VALUES (UUID(), ?)`,
      [[...about, firingId, sentMs, firing.firedMs, digest === null ? null : digestId(notification, digest)]],
    );
  }
}

function digestId(notification: number, digest: number): number {
  return 1_000_000 + 10 * notification + digest;
}
