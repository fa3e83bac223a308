import { parseAuthorizationHeader } from '../../../platform/oauth1/authorization-header';
import { normalizeParameters, type Parameter, parseParameters } from '../../../platform/oauth1/parameters';
import { baseStringUri, type Signed } from './signature';

/** Path as sent, including `.json` and doubled slashes. */
export interface Place {
  host: string;
  path: string;
}

/** What a signature can cover. */
export interface ArrivedRequest {
  /** Before any override. */
  method: string;
  /** The query as sent, without the question mark. */
  query: string;
  /** `Authorization`. */
  header: string | undefined;
  /** The body as sent, if labelled as a form. */
  form: string | undefined;
  places: readonly Place[];
}

const SCHEMES = ['https', 'http'];

export interface CollectedParameters {
  /** Parameters of header, query and form; `oauth_…` is looked up here. */
  all: readonly Parameter[];
  /** What may have been signed: `all`, or also a JSON body labelled as a form. */
  ways: readonly (readonly Parameter[])[];
}

/** RFC 5849 section 3.4.1.3.1; null if the header cannot be read. */
export function collectParameters({ header, query, form }: ArrivedRequest): CollectedParameters | null {
  const inHeader = parseAuthorizationHeader(header);
  if (inHeader === null) return null;
  const head = [...(inHeader ?? []), ...parseParameters(query)];
  if (form === undefined) return { all: head, ways: [head] };
  const whole = [...head, ...parseParameters(form)];
  // JSON is not signed, even if it is labelled as a form; but some clients go by the label and sign it.
  return isJson(form) ? { all: head, ways: [head, whole] } : { all: whole, ways: [whole] };
}

/** All texts that the client may have signed. Behind a proxy that ends TLS its scheme is unknown, so both count. */
export function signedCandidates({ method, places }: ArrivedRequest, { ways }: CollectedParameters): Signed[] {
  const uris = [
    ...new Set(SCHEMES.flatMap((scheme) => places.map(({ host, path }) => baseStringUri(scheme, host, path)))),
  ];
  return ways.flatMap((way) => {
    const parameters = normalizeParameters(way);
    return uris.map((uri) => ({ method, uri, parameters }));
  });
}

/** Validly signed or not. */
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
