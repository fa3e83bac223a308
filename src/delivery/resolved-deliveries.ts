import type { DeliveryNudge } from '../../jobs/delivery.job';
import type { EndedEpisode } from '../rules/episode';
import { namesOf, renderText, roomOfEach, type TextValues } from '../rules/notification-text';
import { partsOf } from '../rules/parts-of';
import type { RunSql } from '../storage/transaction';
import { readEndAlerts } from './alerts';
import {
  type ConnectedNotification,
  insertDeliveries,
  type NewDelivery,
  readConnectedNotifications,
  readNudges,
} from './delivery-rows';
import { notifiedKey, readNotified } from './escalations';
import type { PacedTexts } from './paced-texts';

/** An ended episode whose end is delivered to its notifications. */
export interface ResolvedEpisode extends EndedEpisode {
  deliverAtMs: number;
  /** Instants of the point that ended it. */
  instants?: { receivedMs: number | null; storedMs: number | null; evaluatedMs: number };
}

/** Number of episodes in memory at the same time. The text of each may have 64 KB and more. */
const EPISODES_AT_ONCE = 100;

/** How the deliveries of ends are written. */
interface EndOptions {
  nowMs: number;
  createdMs: number;
  /**
   * True if the deliveries hold what they show: their sensor or trigger may be deleted before they are sent. Those that
   * wait for the end of a mute always do.
   */
  isSelfContained: boolean;
  texts: PacedTexts;
}

/**
 * Inserts a delivery of the end of each episode for every connected notification, in the transaction that ends it. A
 * notification that takes part later than the beginning only gets it if it has a delivery of a firing of the episode.
 * These deliveries wait for those of the firings: see `earlier-deliveries.ts`. Returns their nudges.
 */
export async function insertResolvedDeliveries(
  run: RunSql,
  episodes: readonly ResolvedEpisode[],
  options: EndOptions,
): Promise<DeliveryNudge[]> {
  const nudges: DeliveryNudge[] = [];
  for (const part of partsOf(episodes, EPISODES_AT_ONCE)) {
    nudges.push(...(await insertPart(run, part, options)));
  }
  return nudges;
}

async function insertPart(
  run: RunSql,
  episodes: readonly ResolvedEpisode[],
  { nowMs, createdMs, isSelfContained, texts: renderer }: EndOptions,
): Promise<DeliveryNudge[]> {
  const notifications = await readConnectedNotifications(
    run,
    episodes.map(({ sensorTriggerId }) => sensorTriggerId),
  );
  if (notifications.length === 0) return [];
  const texts = await renderTexts(run, episodes, renderer);
  const firingIds = episodes.map(({ firingId }) => firingId);
  const quiet = new Set(
    episodes.filter(({ isAnnounced }) => !isAnnounced).map(({ sensorTriggerId }) => sensorTriggerId),
  );
  const needsFiring = ({ afterS, sensorTriggerId }: ConnectedNotification) => afterS > 0 || quiet.has(sensorTriggerId);
  const late = notifications.filter(needsFiring).map(({ id }) => id);
  const notified = await readNotified(run, firingIds, late);
  const outliving = episodes.filter(({ deliverAtMs }) => isSelfContained || deliverAtMs > nowMs);
  const alerts = await readEndAlerts(
    run,
    outliving.map(({ firingId }) => firingId),
  );
  const deliveries = episodes.flatMap((episode) => {
    const { firingId, sensorTriggerId } = episode;
    const connected = notifications.filter(
      (row) =>
        row.sensorTriggerId === sensorTriggerId && (!needsFiring(row) || notified.has(notifiedKey(firingId, row.id))),
    );
    const details = alerts.get(firingId);
    const content = { text: texts.get(firingId) ?? '', ...(details && { details }) };
    return connected.map((row): NewDelivery => ({ ...endFor(row, episode, nowMs), ...content, createdMs }));
  });
  await insertDeliveries(run, deliveries);
  return readNudges(run, 'firing_id IN (?) AND resolved = TRUE AND after_mute = FALSE', [firingIds]);
}

/** The delivery of an end to a notification, without its content. */
function endFor(
  { id, ownerId, type, endDestination: destination, severity }: ConnectedNotification,
  { firingId, sensor, triggerId, deliverAtMs, instants }: ResolvedEpisode,
  nowMs: number,
) {
  const planned = { nextAttemptMs: deliverAtMs, afterMute: deliverAtMs > nowMs };
  const cause = { firingId, resolved: true, critical: severity === 'critical', sensorId: sensor.id, triggerId };
  return { ownerId, notificationId: id, type, destination, ...cause, ...planned, ...instants };
}

/** The text of each end by its firing: the trigger's text for the end, with the variables of the firing. */
async function renderTexts(
  run: RunSql,
  episodes: readonly ResolvedEpisode[],
  renderer: PacedTexts,
): Promise<Map<number, string>> {
  const triggers = await run('SELECT id, resolved_text AS resolvedText FROM triggers WHERE id IN (?)', [
    [...new Set(episodes.map(({ triggerId }) => triggerId))],
  ]);
  const given = new Map(
    triggers.map(({ id, resolvedText }) => [Number(id), resolvedText === null ? null : String(resolvedText)]),
  );
  const ids = episodes.filter(({ triggerId }) => given.get(triggerId)).map(({ firingId }) => firingId);
  const variables = ids.length === 0 ? new Map<number, string>() : await readVariables(run, ids);
  const room = roomOfEach(episodes.length);
  const texts = new Map<number, string>();
  for (const { firingId, ownerId, triggerId, triggerName, sensor } of episodes) {
    const names = namesOf(sensor, { triggerId, triggerName });
    const render = () => {
      const values = { ...JSON.parse(variables.get(firingId) ?? '{}'), ...names };
      return endText(given.get(triggerId) ?? null, values, room);
    };
    texts.set(firingId, renderer.render(ownerId, names, render));
    if (renderer.isPauseDue) await renderer.pause();
  }
  return texts;
}

/** The text of an end: the trigger's text with these values, or one that names the trigger and the sensor. */
export function endText(text: string | null, values: TextValues, room?: number): string {
  return text ? renderText(text, values, room) : `${values.trigger_name} on ${values.sensor_name}: resolved`;
}

async function readVariables(run: RunSql, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await run('SELECT id, variables FROM firings WHERE id IN (?)', [ids]);
  return new Map(rows.map((row) => [Number(row.id), String(row.variables)]));
}
