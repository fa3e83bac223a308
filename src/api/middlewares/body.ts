import type { Request, Response } from 'express';
import { arrivingBody } from '../../edge/arriving-body';
import type { BodyTraits } from '../operations';
import { forgetForm, keepForm } from './as-sent';
import { type Bodies, isSurelySmall } from './bodies';
import { readFile } from './body-reader';
import { onceAnswered } from './closed-response';
import type { PathAsked } from './legacy-requests';
import { parseBody, readLabel } from './parse-body';

/** Mail programs post a body of any type there (RFC 8058). Everything that counts is in the address. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['/unsubscribe', '/confirm', '/acknowledge', '/acknowledge/mute']);

/** Smaller bodies are kept until the client has read the answer. */
const NOTICEABLE_BYTES = 4_096;

/** The user to charge for a large body, before it is read; undefined without one. */
export type FindPayer = (request: Request) => Promise<number | undefined>;

/** What follows from the path. */
type BodyRoad = PathAsked & { body: BodyTraits };

/** Sets `request.body`. A large body needs a credential in the head of the request. */
export function readBody(
  bodies: Bodies,
  findPayer: FindPayer,
  request: Request,
  response: Response,
  road: BodyRoad,
): Promise<void> | undefined {
  if (WITHOUT_BODY.has(road.path)) {
    request.resume();
    return undefined;
  }
  if (road.body.isFile) {
    request.body = arrivingBody(readFile(request));
    return undefined;
  }
  return parse({ bodies, findPayer, road }, request, response);
}

async function parse(
  { bodies, findPayer, road }: { bodies: Bodies; findPayer: FindPayer; road: BodyRoad },
  request: Request,
  response: Response,
): Promise<void> {
  const userId = isSurelySmall(request) ? undefined : await findPayer(request);
  const bytes = await bodies.read(request, response, userId);
  keepForm(request, bytes);
  const label = { type: request.headers['content-type'], traits: road.body, jsonSuffix: road.jsonSuffix };
  request.body = await parseBody(bytes, readLabel(label));
  if (bytes.length < NOTICEABLE_BYTES) return;
  // The user is no longer charged for it then, and node keeps the request until the client has read the answer.
  onceAnswered(response, () => {
    request.body = {};
    forgetForm(request);
  });
}
