import type { IncomingMessage } from 'node:http';
import type { BodyLabel } from '../middlewares/parse-body';
import { readSessionHeader } from '../middlewares/session-token';

/** What the head of a plain upload says. */
export interface PlainUpload {
  /** As it is in the path; undefined when the body names the sensors. */
  sensorId: string | undefined;
  /** The session id, which may be unknown. */
  token: string;
  label: BodyLabel;
}

const PATH = /^\/sensors\/(?:([0-9]+)\/)?data(\.json)?$/;
const JSON_TYPE = /^application\/json *(?:;|$)/i;

/** What asks for more than storing and answering; `origin` is only here because a page's uploads are few. */
const UNUSUAL = ['authorization', 'content-encoding', 'expect', 'origin'] as const;

/**
 * Recognizes an upload as devices and gateways send it: JSON of a known length, with a session in the header. Undefined for any other
 * request, and for what is unusual in any way: express handles these. Reads the head of the request only.
 */
export function plainUploadOf({ method, url, headers }: IncomingMessage): PlainUpload | undefined {
  const match = method === 'POST' ? PATH.exec(url ?? '') : null;
  if (!match || headers['content-length'] === undefined) return undefined;
  if (UNUSUAL.some((name) => headers[name] !== undefined)) return undefined;
  const [path, sensorId, suffix] = match;
  const type = headers['content-type'];
  // With the suffix it is read as JSON whatever its label.
  if (suffix === undefined && type !== undefined && !JSON_TYPE.test(type)) return undefined;
  const token = readSessionHeader(headers);
  if (token === undefined) return undefined;
  const label = { type, path: suffix ? path.slice(0, -suffix.length) : path, jsonSuffix: suffix !== undefined };
  return { sensorId, token, label };
}
