import type { Container } from '../src/container';

/** Dispatches the events that wait to the event notifications that match. */
export async function handleEvents({ eventDispatcher }: Container): Promise<string> {
  return `${await eventDispatcher.dispatchWaiting()} events dispatched`;
}
