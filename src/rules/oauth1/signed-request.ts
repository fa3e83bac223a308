import { parseAuthorizationHeader } from './authorization-header';
import { normalizeParameters, type Parameter, parseParameters } from './parameters';
import { baseStringUri, type Signed } from './signature';

/** A host with its port, and a path as it was sent: with `.json` and doubled slashes. */
export interface Place {
  host: string;
  path: string;
}

/** A request as it arrived, as far as a signature is about it. */
export interface ArrivedRequest {
  /** As the client sent it, before anything overrides it. */
  method: string;
  /** The query as it was sent, without the question mark. */
  query: string;
  /** `Authorization`. */
  header: string | undefined;
  /** A body that is labelled as a form, as it was sent; undefined for any other body. */
  form: string | undefined;
  /** By which the client may know what it asks for: where it arrived, and where the setting says that the platform is. */
  places: readonly Place[];
}

const SCHEMES = ['https', 'http'];

/** A request for the protocol. */
export interface CollectedParameters {
  /** Where `oauth_…` is looked for: the header, the query and a form. */
  all: readonly Parameter[];
  /** What may have been signed: `all`, or also the text of a body that is JSON and only labelled as a form. */
  ways: readonly (readonly Parameter[])[];
}

/** The parameters of a request from all places (RFC 5849 section 3.4.1.3.1); null when the header cannot be read. */
export function collectParameters({ header, query, form }: ArrivedRequest): CollectedParameters | null {
  const inHeader = parseAuthorizationHeader(header);
  if (inHeader === null) return null;
  const head = [...(inHeader ?? []), ...parseParameters(query)];
  if (form === undefined) return { all: head, ways: [head] };
  const whole = [...head, ...parseParameters(form)];
  // JSON is not signed, however it is labelled; but some clients go by the label and sign it as if it were a form.
  return isJson(form) ? { all: head, ways: [head, whole] } : { all: whole, ways: [whole] };
}

/** All that the client may have signed. Whether it has used https is not sure behind a proxy that ends TLS: either scheme counts. */
export function signedCandidates({ method, places }: ArrivedRequest, { ways }: CollectedParameters): Signed[] {
  const uris = [
    ...new Set(SCHEMES.flatMap((scheme) => places.map(({ host, path }) => baseStringUri(scheme, host, path)))),
  ];
  return ways.flatMap((way) => {
    const parameters = normalizeParameters(way);
    return uris.map((uri) => ({ method, uri, parameters }));
  });
}

/** Whether a request is one by OAuth 1.0a, whatever its signature is worth. */
export function isOAuth1({ header, query, form }: Pick<ArrivedRequest, 'header' | 'query' | 'form'>): boolean {
  if (parseAuthorizationHeader(header) !== undefined || hasProtocolParameters(query)) return true;
  return form !== undefined && !isJson(form) && hasProtocolParameters(form);
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function hasProtocolParameters(text: string): boolean {
  if (!/oauth(?:_|%5f)/i.test(text)) return false;
  return parseParameters(text).some(([name]) => name === 'oauth_consumer_key' || name === 'oauth_signature');
}
