import type { IncomingMessage } from 'node:http';

/** The parts of a request that a signature may cover and that are not kept otherwise. */
interface AsSent {
  method?: string;
  form?: string;
}

const kept = new WeakMap<IncomingMessage, AsSent>();

const OAUTH_HEADER = /^OAuth(?:\s|$)/i;

/** Keeps the method that a client sent, before another one replaces it. */
export function keepMethod(request: IncomingMessage, method: string): void {
  kept.set(request, { ...kept.get(request), method });
}

/** Keeps the text of a body that is labelled as a form, if the request may be signed by OAuth 1.0a. */
export function keepForm(request: IncomingMessage, bytes: Buffer): void {
  const { headers, url = '' } = request;
  if (!/^application\/x-www-form-urlencoded *(?:;|$)/i.test(headers['content-type'] ?? '')) return;
  const mayBeSigned = OAUTH_HEADER.test(headers.authorization ?? '') || /oauth_/i.test(url) || bytes.includes('oauth_');
  if (mayBeSigned) kept.set(request, { ...kept.get(request), form: bytes.toString('utf8') });
}

export function forgetForm(request: IncomingMessage): void {
  const known = kept.get(request);
  if (known?.form !== undefined) kept.set(request, { method: known.method });
}

/** The method that the client sent. */
export function sentMethodOf(request: IncomingMessage): string {
  return kept.get(request)?.method ?? request.method ?? 'GET';
}

/** The text of a form, if it was kept. */
export function sentFormOf(request: IncomingMessage): string | undefined {
  return kept.get(request)?.form;
}
