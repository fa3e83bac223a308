import type { DeliveryPayload } from '../jobs/delivery.job';
import type { Container } from '../src/container';

/** Makes the attempt that is due, if it still is. */
export async function handleDelivery({ deliveryId }: DeliveryPayload, { sender }: Container): Promise<string> {
  return sender.attempt(deliveryId);
}
