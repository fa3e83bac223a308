import type { EventPayload } from '../jobs/event.job';
import type { Container } from '../src/container';

/** Dispatches waiting events of a share of the users to the matching event notifications. */
export async function handleEvents(
  payload: EventPayload,
  { eventDispatcher }: Pick<Container, 'eventDispatcher'>,
): Promise<string> {
  return `${await eventDispatcher.dispatchWaiting(payload)} events dispatched`;
}
