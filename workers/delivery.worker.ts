import type { DeliveryPayload } from '../jobs/delivery.job';
import type { Container } from '../src/container';

/**
 * Makes the attempts that are due, if they still are. Of several, each begins once the one before is on its way, or has
 * ended without; none waits for an answer to another.
 */
export async function handleDelivery(
  { deliveryId, next = [] }: DeliveryPayload,
  { sender }: Container,
): Promise<string> {
  if (next.length === 0) return sender.attempt(deliveryId);
  const attempts: Promise<string>[] = [];
  for (const id of [deliveryId, ...next]) {
    await new Promise<void>((onItsWay) => {
      const attempt = sender.attempt(id, onItsWay).finally(onItsWay);
      attempt.catch(() => undefined); // thrown below, when the others are under way
      attempts.push(attempt);
    });
  }
  return (await Promise.all(attempts)).join(', ');
}
