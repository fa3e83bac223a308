import type { DeliveryNudge } from '../../../jobs/delivery.job';
import type { RunSql } from '../../storage/transaction';
import { readFiringAlert } from './alerts';
import { insertDeliveries, type NewDelivery, newWebhookId, readNudges } from './delivery-rows';

export interface AcknowledgedEpisode {
  firingId: number;
  sensorId: number;
  triggerId: number;
}

/**
 * Reaches each notification that got a firing of the episode and has a text for this. Requires the transaction of the
 * first acknowledgement. Returns nudges.
 */
export async function insertAcknowledgedDeliveries(
  run: RunSql,
  { firingId, sensorId, triggerId }: AcknowledgedEpisode,
  nowMs: number,
): Promise<DeliveryNudge[]> {
  const notified = await run(
    `SELECT n.id, n.owner_id AS ownerId, n.type, COALESCE(n.destination_acknowledged, n.destination) AS destination,
       MAX(d.id) AS deliveryId
     FROM firings e
     JOIN firings f ON f.sensor_trigger_id = e.sensor_trigger_id AND f.fired_ms >= e.fired_ms
     JOIN deliveries d ON d.firing_id = f.id AND d.kind = 'firing'
     JOIN notifications n ON n.id = d.notification_id AND n.enabled AND n.body_acknowledged IS NOT NULL
     WHERE e.id = ? AND (f.id = e.id OR f.episode_id = e.id)
     GROUP BY n.id`,
    [firingId],
  );
  if (notified.length === 0) return [];
  const texts = await run('SELECT id, text FROM deliveries WHERE id IN (?)', [notified.map((row) => row.deliveryId)]);
  const textOf = new Map(texts.map(({ id, text }) => [Number(id), String(text)]));
  const details = await readFiringAlert(run, firingId);
  const deliveries = notified.map(
    (row): NewDelivery => ({
      ...{ webhookId: newWebhookId(), ownerId: Number(row.ownerId), notificationId: Number(row.id) },
      ...{ type: String(row.type), destination: String(row.destination) },
      text: textOf.get(Number(row.deliveryId)) ?? '',
      ...(details && { details }),
      ...{ kind: 'acknowledgement', firingId, sensorId, triggerId, nextAttemptMs: nowMs, createdMs: nowMs },
    }),
  );
  await insertDeliveries(run, deliveries);
  return readNudges(run, 'webhook_id IN (?)', [deliveries.map(({ webhookId }) => webhookId)]);
}
