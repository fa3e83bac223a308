import type { Container } from '../src/container';

/** Dispatches waiting events to the matching event notifications. */
export async function handleEvents({ eventDispatcher }: Container): Promise<string> {
  return `${await eventDispatcher.dispatchWaiting()} events dispatched`;
}
