import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { type NamedSensor, namesOf, renderText, roomOfEach, type TextValues } from '../../language/notification-text';
import { partsOf } from '../../platform/parts-of';
import { Words } from '../../platform/words/words';
import { readLabelsOfTexts } from '../../storage/labels';
import type { RunSql } from '../../storage/transaction';
import { readEndAlerts } from './alerts';
import {
  type ConnectedNotification,
  insertDeliveries,
  type NewDelivery,
  readConnectedNotifications,
  readNudges,
} from './delivery-rows';
import { resolvedText } from './digest';
import type { FiringVariables } from './firing-variables';
import type { PacedTexts } from './paced-texts';
import { isOwedAnEnd, readEarlyEnded, readSentFirings, type SentFirings, sentKey } from './sent-firings';

export interface EndedEpisode {
  firingId: number;
  sensorTriggerId: number;
  triggerId: number;
  triggerName: string;
  ownerId: number;
  sensor: NamedSensor;
  /** False if all firings were muted. */
  isAnnounced: boolean;
  /** Only notifications that got a firing get the end: others may have waited for theirs. */
  needsFiring: boolean;
  /** Now, or at the end of a mute; null if the end is not delivered. */
  deliverAtMs: number | null;
}

export interface ResolvedEpisode extends EndedEpisode {
  deliverAtMs: number;
  instants?: { receivedMs: number | null; storedMs: number | null; evaluatedMs: number };
}

/** The text of an episode may have 64 KB and more. */
const EPISODES_AT_ONCE = 100;

interface EndOptions {
  nowMs: number;
  createdMs: number;
  /** True if the sensor or trigger may be deleted before the delivery is sent. */
  isSelfContained: boolean;
  texts: PacedTexts;
  onlyTo?: readonly number[];
}

/**
 * Requires the transaction that ends the episodes. A notification that takes part later only gets an end if it got a
 * firing. One that already got an end needs a further firing. Ends wait for firings: `earlier-deliveries.ts`. Returns
 * nudges.
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
  { nowMs, createdMs, isSelfContained, texts: renderer, onlyTo }: EndOptions,
): Promise<DeliveryNudge[]> {
  const connected = await readConnectedNotifications(
    run,
    episodes.map(({ sensorTriggerId }) => sensorTriggerId),
  );
  const notifications = onlyTo ? connected.filter(({ id }) => onlyTo.includes(id)) : connected;
  if (notifications.length === 0) return [];
  const ended = await findEnded(run, episodes, notifications, onlyTo !== undefined);
  if (ended.length === 0) return [];
  const outliving = episodes.filter(({ deliverAtMs }) => isSelfContained || deliverAtMs > nowMs);
  const alerts = await readEndAlerts(
    run,
    outliving.map(({ firingId }) => firingId),
    nowMs,
  );
  const texts = await renderTexts(run, episodes, renderer);
  const deliveries = ended.map(({ row, episode, firingId }): NewDelivery => {
    const details = alerts.get(episode.firingId);
    const content = { text: texts.get(episode.firingId) ?? '', ...(details && { details }) };
    return { ...endFor(row, episode, nowMs), ...content, firingId, createdMs };
  });
  await insertDeliveries(run, deliveries);
  const firingIds = [...new Set(ended.map(({ firingId }) => firingId))];
  const toNotifications = [...new Set(ended.map(({ row }) => row.id))];
  return readNudges(
    run,
    "firing_id IN (?) AND notification_id IN (?) AND kind = 'end' AND after_mute = FALSE AND status = 'pending'",
    [firingIds, toNotifications],
  );
}

interface EndedFor {
  row: ConnectedNotification;
  episode: ResolvedEpisode;
  firingId: number;
}

async function findEnded(
  run: RunSql,
  episodes: readonly ResolvedEpisode[],
  notifications: readonly ConnectedNotification[],
  mustHaveFired: boolean,
): Promise<EndedFor[]> {
  const firingIds = episodes.map(({ firingId }) => firingId);
  const unsure = new Set(episodes.flatMap((one) => (one.needsFiring ? one.sensorTriggerId : [])));
  const needsFiring = ({ afterS, sensorTriggerId }: ConnectedNotification) =>
    mustHaveFired || afterS > 0 || unsure.has(sensorTriggerId);
  const late = notifications.filter(needsFiring).map(({ id }) => id);
  const unclear = new Set([...late, ...(await readEarlyEnded(run, firingIds))]);
  const sent = await readSentFirings(run, firingIds, [...unclear]);
  return episodes.flatMap((episode) => {
    const own = notifications.filter(({ sensorTriggerId }) => sensorTriggerId === episode.sensorTriggerId);
    return own.flatMap((row) => {
      const firingId = firingToEnd(episode.firingId, sent.get(sentKey(episode.firingId, row.id)), needsFiring(row));
      return firingId === undefined ? [] : [{ row, episode, firingId }];
    });
  });
}

/** The first firing of the episode, or the latest after an early end. */
function firingToEnd(firstId: number, sent: SentFirings | undefined, needsFiring: boolean): number | undefined {
  if (sent && sent.endId > 0) return isOwedAnEnd(sent) ? sent.firingId : undefined;
  return needsFiring && !isOwedAnEnd(sent) ? undefined : firstId;
}

function endFor(
  { id, ownerId, type, endDestination: destination, severity }: ConnectedNotification,
  { sensor, triggerId, deliverAtMs, instants }: ResolvedEpisode,
  nowMs: number,
) {
  const planned = { nextAttemptMs: deliverAtMs, afterMute: deliverAtMs > nowMs };
  const cause = { kind: 'end' as const, critical: severity === 'critical', sensorId: sensor.id, triggerId };
  return { ownerId, notificationId: id, type, destination, ...cause, ...planned, ...instants };
}

/** By firing. */
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
  const sensorIds = episodes.map(({ sensor }) => sensor.id);
  const labelsOf = await readLabelsOfTexts(run, sensorIds, [...given.values()]);
  const room = roomOfEach(episodes.length);
  const texts = new Map<number, string>();
  for (const { firingId, ownerId, triggerId, triggerName, sensor } of episodes) {
    const names = namesOf(sensor, { triggerId, triggerName });
    const render = () => {
      const shown: FiringVariables = JSON.parse(variables.get(firingId) ?? '{}');
      const values = { ...shown, ...names, labels: labelsOf(sensor.id, shown.labels) };
      return endText(given.get(triggerId) ?? null, values, { words: Words.english, room });
    };
    texts.set(firingId, renderer.render(ownerId, names, render));
    if (renderer.isPauseDue) await renderer.pause();
  }
  return texts;
}

/** Falls back to the names of trigger and sensor. */
export function endText(
  text: string | null,
  values: TextValues,
  { words, room }: { words: Words; room?: number },
): string {
  if (text) return renderText(text, values, room);
  return resolvedText({ trigger: String(values.trigger_name), sensor: String(values.sensor_name) }, words);
}

async function readVariables(run: RunSql, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await run('SELECT id, variables FROM firings WHERE id IN (?)', [ids]);
  return new Map(rows.map((row) => [Number(row.id), String(row.variables)]));
}
