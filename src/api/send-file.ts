import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** As fast as the client reads. An error, or a client that leaves, breaks the connection. */
export async function sendFile(response: Response, file: Readable): Promise<void> {
  if (response.req.method === 'HEAD') {
    file.destroy();
    response.end();
    return;
  }
  await pipeline(file, response).catch(() => response.destroy());
}
