import { parseUrl } from '../../platform/parse-url';

/** A field that a preset asks for, next to the fields that every notification has. */
export interface PresetField {
  name: string;
  title: string;
  /** What the value is, and where to find it. */
  help: string;
  /** Whether the value is kept encrypted and never shown. */
  secret: boolean;
  required: boolean;
  example: string;
  /** `url`: an http or https URL. `server`: one without a query. */
  format: 'text' | 'url' | 'server';
  /** A regular expression that a text matches as a whole. */
  pattern?: string;
  /** What a value is that matches the pattern; ends the sentence "must be …". */
  expected?: string;
  /** The value if none is given. */
  default?: string;
}

/** The fields of a notification that a preset fills. Templates read the values of `secrets` as `secrets.name`. */
export interface PresetRequest {
  destination: string;
  /** Where ends of episodes go; `destination` if absent. */
  destinationResolved?: string;
  method: 'POST' | 'PUT';
  headers: Record<string, string>;
  secrets: Record<string, string>;
  contentType: string;
  body: unknown;
  /** The body for ends of episodes; `body` if absent. */
  bodyResolved?: unknown;
  /** The body that reports an acknowledgement; none is sent if absent. */
  bodyAcknowledged?: unknown;
  /** Where acknowledgements go; `destination` if absent. */
  destinationAcknowledged?: string;
  /** Which answer is a success; any status 2xx if absent. */
  success?: string;
}

/** A service that takes notifications: what it needs to know, and the request that it takes. */
export interface Preset {
  name: string;
  title: string;
  /** The page of the service that describes the request. */
  documentation: string;
  fields: readonly PresetField[];
  /** The request for checked values. A field without a value and without a default is absent. */
  fill(values: PresetValues): PresetRequest;
}

export type PresetValues = Readonly<Record<string, string>>;

export const JSON_BODY = 'application/json';
export const FORM_BODY = 'application/x-www-form-urlencoded';

/** A field that must be given. */
export function required(
  field: Omit<PresetField, 'required' | 'secret' | 'format'> & Partial<PresetField>,
): PresetField {
  return { format: 'text', secret: false, required: true, ...field };
}

/** A field that may be given. */
export function optional(
  field: Omit<PresetField, 'required' | 'secret' | 'format'> & Partial<PresetField>,
): PresetField {
  return { format: 'text', secret: false, required: false, ...field };
}

/** The field for the base URL of a service that has one for everybody. */
export function serverOf(title: string, address: string): PresetField {
  const help = `The address of ${title}. Change it only if your account is in another region, or if you run the server yourself.`;
  return optional({ name: 'server', title: 'Server', help, example: address, format: 'server', default: address });
}

/** The field for the base URL of a service that everybody runs themselves. */
export function ownServer(title: string, example: string): PresetField {
  const help = `The address of your ${title} server, with its path if it is not at the root.`;
  return required({ name: 'server', title: 'Server', help, example, format: 'server' });
}

/** A value that belongs to a notification or a preset, as one part of a path. */
export function part(value: string | undefined): string {
  return encodeURIComponent(value ?? '');
}

/** A base URL without the slash at its end. Nothing in it can end a string constant of a template. */
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
