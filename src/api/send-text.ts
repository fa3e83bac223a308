import type { Response } from 'express';
import { InvalidInput } from '../platform/errors';
import { exactJson } from '../platform/exact-json';
import { heldBytesOf, jsonPieces } from '../platform/json-pieces';
import { partsOfText } from '../platform/text-parts';
import { withTimeout } from '../platform/with-timeout';
import type { AnswerAccount } from './answer-account';
import { STALLED_MS } from './knobs';

/** Sent at once, and charged to no user. */
const SMALL_BYTES = 64 * 1024;
/** Values of 32 MB, and their overhead. */
const MOST_BYTES = 48 * 1024 * 1024;
/** Maximum size of what is produced and unsent, besides the bytes of the body. */
const UNSENT_BYTES = 1024 * 1024;

/** A large body is sent in parts, as fast as the client reads, charged to its user. */
export async function sendJson(response: Response, body: object, account: AnswerAccount | undefined): Promise<void> {
  const bytes = account ? heldBytesOf(body) : 0;
  if (bytes <= SMALL_BYTES) return void response.json(body);
  if (bytes > MOST_BYTES && account?.mayRefuse) {
    throw InvalidInput.field('per_page', 'asks for more than 32 MB at once; ask for fewer per page');
  }
  account?.hold(bytes + UNSENT_BYTES);
  response.type('json');
  await sendParts(response, partsOfText(jsonPieces(body)));
}

/**
 * Replaces `response.json` of Express. Node writes head and body as one text, Latin-1 in less time; ASCII is the same
 * in both.
 */
export function endJson(this: Response, body: unknown): Response {
  const text = exactJson(body);
  const length = Buffer.byteLength(text);
  if (!this.hasHeader('Content-Type')) this.setHeader('Content-Type', 'application/json; charset=utf-8');
  this.setHeader('Content-Length', length);
  return this.req.method === 'HEAD' ? this.end() : this.end(text, length === text.length ? 'latin1' : 'utf8');
}

/** Sends a part when the client has read the previous ones. */
export async function sendParts(response: Response, parts: Iterable<string> | AsyncIterable<string>): Promise<void> {
  if (response.req.method === 'HEAD') return void response.end();
  // One listener for all parts: in a compressed answer it cannot be removed.
  let proceed = () => {};
  response.on('drain', () => proceed());
  response.once('close', () => proceed());
  try {
    for await (const part of parts) {
      if (part === '' || response.write(part)) continue;
      await withTimeout(
        STALLED_MS,
        new Promise<void>((resolve) => {
          proceed = resolve;
          if (response.destroyed) resolve();
        }),
      );
      if (response.destroyed) return;
    }
    response.end();
  } catch (error) {
    // The sent part looks like an answer: only a broken connection shows that it is incomplete.
    response.destroy(error instanceof Error ? error : undefined);
  }
}
