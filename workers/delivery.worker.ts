import type { DeliveryPayload } from '../jobs/delivery.job';
import type { Container } from '../src/container';
import type { Outcome } from './outcome';

/** Makes the attempts that are still due. The job fails if one of its deliveries has failed permanently. */
export async function handleDelivery(
  { deliveryId, next = [] }: DeliveryPayload,
  { sender }: Pick<Container, 'sender'>,
): Promise<Outcome> {
  const ids = [deliveryId, ...next];
  const outcomes = await attemptInOrder(ids, sender);
  const failed = ids.filter((_, index) => outcomes[index] === 'failed');
  if (failed.length === 0) return outcomes.join(', ');
  const reasons = failed.map(async (id) => `delivery ${id}: ${await sender.latestError(id)}`);
  return { failed: (await Promise.all(reasons)).join('; ') };
}

/**
 * Each attempt begins once the previous one has been sent, or has ended without being sent. None waits for the response
 * to another.
 */
async function attemptInOrder(ids: readonly number[], sender: Container['sender']): Promise<string[]> {
  const attempts: Promise<string>[] = [];
  for (const id of ids) {
    await new Promise<void>((onSent) => {
      const attempt = sender.attempt(id, { onSent }).finally(onSent);
      attempt.catch(() => undefined); // thrown below, when the others are running
      attempts.push(attempt);
    });
  }
  return Promise.all(attempts);
}
