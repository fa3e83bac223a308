import { parseUrl } from '../../platform/parse-url';
import type { Words } from '../../platform/words/words';

export interface PresetField {
  name: string;
  title: string;
  /** What the value is, and where to find it. */
  help: string;
  /** True if the value is kept encrypted and never shown. */
  secret: boolean;
  required: boolean;
  example: string;
  /** `url`: an http or https URL. `server`: one without a query. */
  format: 'text' | 'url' | 'server';
  /** Matches the whole text. */
  pattern?: string;
  /** Ends the sentence "must be …". */
  expected?: string;
  default?: string;
}

/** Templates read the values of `secrets` as `secrets.name`. */
export interface PresetRequest {
  destination: string;
  /** For ends of episodes; `destination` if absent. */
  destinationResolved?: string;
  method: 'POST' | 'PUT';
  headers: Record<string, string>;
  secrets: Record<string, string>;
  contentType: string;
  body: unknown;
  /** For ends of episodes; `body` if absent. */
  bodyResolved?: unknown;
  /** Reports an acknowledgement; none is sent if absent. */
  bodyAcknowledged?: unknown;
  /** For acknowledgements; `destination` if absent. */
  destinationAcknowledged?: string;
  /** Which answer is a success; any status 2xx if absent. */
  success?: string;
}

/** A service that takes notifications. */
export interface Preset {
  name: string;
  title: string;
  /** The page of the service that describes the request. */
  documentation: string;
  fields: readonly PresetField[];
  /** Requires checked values. A field without value and default is absent. `words` are of who reads the messages. */
  fill(values: PresetValues, words: Words): PresetRequest;
}

export type PresetValues = Readonly<Record<string, string>>;

export const JSON_BODY = 'application/json';
export const FORM_BODY = 'application/x-www-form-urlencoded';

export function required(
  field: Omit<PresetField, 'required' | 'secret' | 'format'> & Partial<PresetField>,
): PresetField {
  return { format: 'text', secret: false, required: true, ...field };
}

export function optional(
  field: Omit<PresetField, 'required' | 'secret' | 'format'> & Partial<PresetField>,
): PresetField {
  return { format: 'text', secret: false, required: false, ...field };
}

/** For a service with one base URL for everybody. */
export function serverOf(title: string, address: string): PresetField {
  const help = `The address of ${title}. Change it only if your account is in another region, or if you run the server yourself.`;
  return optional({ name: 'server', title: 'Server', help, example: address, format: 'server', default: address });
}

/** For a service that everybody runs themselves. */
export function ownServer(title: string, example: string): PresetField {
  const help = `The address of your ${title} server, with its path if it is not at the root.`;
  return required({ name: 'server', title: 'Server', help, example, format: 'server' });
}

/** Encodes a value as one part of a path. */
export function part(value: string | undefined): string {
  return encodeURIComponent(value ?? '');
}

/** Cuts the slash at the end. Nothing in the URL can end a string constant of a template. */
export function base(value: string | undefined): string {
  return (parseUrl(value ?? '')?.href ?? '').replace(/\/+$/, '');
}

export function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

export function basic(username: string | undefined, password: string | undefined): Record<string, string> {
  if (username === undefined) return {};
  return { Authorization: `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` };
}
