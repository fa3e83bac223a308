import type { IncomingMessage } from 'node:http';

interface AsSent {
  method?: string;
  form?: string;
}

const kept = new WeakMap<IncomingMessage, AsSent>();

const OAUTH_HEADER = /^OAuth(?:\s|$)/i;

/** Before another method replaces it. */
export function keepMethod(request: IncomingMessage, method: string): void {
  kept.set(request, { ...kept.get(request), method });
}

/** Text of a form that OAuth 1.0a may sign. */
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

export function sentMethodOf(request: IncomingMessage): string {
  return kept.get(request)?.method ?? request.method ?? 'GET';
}

export function sentFormOf(request: IncomingMessage): string | undefined {
  return kept.get(request)?.form;
}
