import type { EventPayload } from '../jobs/event.job';
import type { Container } from '../src/container';

/** Dispatches for a share of the users. */
export async function handleEvents(
  payload: EventPayload,
  { eventDispatcher }: Pick<Container, 'eventDispatcher'>,
): Promise<string> {
  return `${await eventDispatcher.dispatchWaiting(payload)} events dispatched`;
}
