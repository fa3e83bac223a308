import { type EventPayload, shareOf } from '../jobs/event.job';
import type { Container } from '../src/container';

/** Dispatches waiting events of a share of the users to the matching event notifications. */
export async function handleEvents(
  payload: EventPayload,
  { eventDispatcher }: Pick<Container, 'eventDispatcher'>,
): Promise<string> {
  return `${await eventDispatcher.dispatchWaiting(shareOf(payload))} events dispatched`;
}
