import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { readBearerHeader } from '../middlewares/bearer-token';
import { type BodyFormat, readLabel } from '../middlewares/parse-body';
import type { Target } from '../middlewares/request-log';
import { readSessionHeader } from '../middlewares/session-token';

/** The data in the head of a plain upload. */
export interface PlainUpload {
  /** As in the path; undefined if the body names the sensors. */
  sensorId: string | undefined;
  /** The session id, or the secret of a key or a token. It may be unknown. */
  secret: string;
  by: 'session' | 'bearer';
  format: BodyFormat;
}

const PATH = /^\/sensors\/(?:([0-9]+)\/)?data(\.json)?$/;
const JSON_TYPE = /^application\/json *(?:;|$)/i;

/** Headers that ask for more than storing and answering. `origin` is here only because uploads by pages are rare. */
const UNUSUAL = ['content-encoding', 'expect', 'origin'] as const;

/**
 * Recognizes a typical upload of a device or gateway: JSON of a known length, with a session, a key or a token in the
 * header. Undefined for any other request, and for anything unusual: Express handles these. Reads only the head of the
 * request.
 */
export function plainUploadOf({
  method,
  url,
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): PlainUpload | undefined {
  const match = method === 'POST' ? PATH.exec(url ?? '') : null;
  if (!match || headers['content-length'] === undefined) return undefined;
  if (UNUSUAL.some((name) => headers[name] !== undefined)) return undefined;
  const [path, sensorId, suffix] = match;
  const type = headers['content-type'];
  // With the suffix it is read as JSON whatever its label.
  if (suffix === undefined && type !== undefined && !JSON_TYPE.test(type)) return undefined;
  const credential = readCredential(headers);
  if (credential === undefined) return undefined;
  const label = { type, path: suffix ? path.slice(0, -suffix.length) : path, jsonSuffix: suffix !== undefined };
  return { sensorId, ...credential, format: readLabel(label) };
}

/** The path, as in the document. */
export function routeOf({ sensorId }: PlainUpload): string {
  return sensorId === undefined ? '/sensors/data' : '/sensors/{id}/data';
}

/** The recorded target of an upload. */
export function targetOf(upload: PlainUpload, storedMs: number | undefined): Target {
  return { route: routeOf(upload), id: upload.sensorId, storedMs };
}

/** Undefined for none, for two of them, and for other ways to authenticate. */
function readCredential(headers: IncomingHttpHeaders): Pick<PlainUpload, 'secret' | 'by'> | undefined {
  const session = readSessionHeader(headers);
  if (headers.authorization === undefined)
    return session === undefined ? undefined : { secret: session, by: 'session' };
  const bearer = readBearerHeader(headers);
  return bearer === undefined || session !== undefined ? undefined : { secret: bearer, by: 'bearer' };
}
