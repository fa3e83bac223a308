import type { DeliveryPayload } from '../jobs/delivery.job';
import type { Container } from '../src/container';
import type { Outcome } from './outcome';

/** Fails if one of the deliveries has failed permanently. */
export async function handleDelivery(
  payload: DeliveryPayload,
  { delivery: { runner, log } }: Pick<Container, 'delivery'>,
): Promise<Outcome> {
  const ids = [payload.deliveryId, ...(payload.next ?? [])];
  const ends = await runner.run(payload);
  const failed = ids.filter((_, index) => ends[index] === 'failed');
  if (failed.length === 0) return ends.join(', ');
  const reasons = failed.map(async (id) => `delivery ${id}: ${await log.latestError(id)}`);
  return { failed: (await Promise.all(reasons)).join('; ') };
}
