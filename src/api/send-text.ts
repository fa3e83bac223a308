import type { Response } from 'express';
import { InvalidInput } from '../platform/errors';
import { withTimeout } from '../platform/with-timeout';
import { heldBytesOf, jsonPieces } from '../rules/json-pieces';
import { partsOfText } from '../rules/text-parts';
import type { AnswerAccount } from './answer-account';

/** Bodies that hold so many bytes are sent at once, and charged to nobody. */
const SMALL_BYTES = 64 * 1024;
/** What a body may hold: values of 32 MB, and what belongs to them. */
const MOST_BYTES = 48 * 1024 * 1024;
/** What is made of a larger one and not sent yet, besides what it holds. */
const UNSENT_BYTES = 1024 * 1024;
/** A client that takes nothing for so long does without the rest. */
const STALLED_MS = 30_000;

/** Sends a body of plain data as JSON: a large one a part at a time, as fast as the client takes it, at the expense of its user. */
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

/** Sends the parts of a text, each when the client has taken those before it. */
export async function sendParts(response: Response, parts: Iterable<string> | AsyncIterable<string>): Promise<void> {
  if (response.req.method === 'HEAD') return void response.end();
  // One listener for all parts: where the answer is compressed, it cannot be taken away again.
  let goOn = () => {};
  response.on('drain', () => goOn());
  response.once('close', () => goOn());
  try {
    for await (const part of parts) {
      if (part === '' || response.write(part)) continue;
      await withTimeout(
        STALLED_MS,
        new Promise<void>((resolve) => {
          goOn = resolve;
          if (response.destroyed) resolve();
        }),
      );
      if (response.destroyed) return;
    }
    response.end();
  } catch (error) {
    // What was sent already looks like an answer: only a connection that breaks shows that it is not whole.
    response.destroy(error instanceof Error ? error : undefined);
  }
}
