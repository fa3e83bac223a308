import type { Request, Response } from 'express';
import type { Identity } from '../platform/caller';
import type { StreamsController } from '../points/controllers';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Neither compression nor a proxy may wait for more data before it passes an event on.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Server-sent events (HTML standard), until the stream ends or the client disconnects. */
export function sendStream(
  request: Request,
  response: Response,
  { opened }: StreamsController,
  recheck: () => Promise<Identity | null>,
): void {
  const isWanted = opened !== undefined && request.method !== 'HEAD';
  // Before the status: it throws if there are too many streams.
  if (isWanted) opened.begin(response, recheck);
  response.status(200).set(HEADERS);
  if (isWanted) response.write(opened.head);
  else response.end();
}
