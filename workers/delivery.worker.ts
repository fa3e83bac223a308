import type { DeliveryPayload } from '../jobs/delivery.job';
import type { Container } from '../src/container';
import type { Outcome } from './outcome';

/** Makes the attempts that are still due. The job fails when one of its deliveries has failed for good. */
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
 * Each attempt begins once the one before it is on its way, or has ended without being sent; none waits for the response
 * to another.
 */
async function attemptInOrder(ids: readonly number[], sender: Container['sender']): Promise<string[]> {
  const attempts: Promise<string>[] = [];
  for (const id of ids) {
    await new Promise<void>((onSent) => {
      const attempt = sender.attempt(id, { onSent }).finally(onSent);
      attempt.catch(() => undefined); // thrown below, when the others are under way
      attempts.push(attempt);
    });
  }
  return Promise.all(attempts);
}
