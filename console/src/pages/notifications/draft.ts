import { ApiError, messageOf, type Records, sentence, withCharacters } from '../../api';
import { t } from '../../language';
import type { Channel } from './channels';

type Notification = Records['NotificationView'];
export type NewNotification = Records['NewNotification'];

/** The fields of the form that a session's end does not lose. None of them is a secret. */
export interface Fields {
  name: string;
  destination: string;
  text: string;
  person: string;
  digest: boolean;
  /** The period of probes in seconds; empty for none. */
  probe: string;
  /** `own`: by the body below. */
  format: Notification['format'] | 'own';
  method: Notification['method'];
  contentType: string;
  body: string;
  bodyResolved: string;
  bodyAcknowledged: string;
  destinationResolved: string;
  destinationAcknowledged: string;
  caCertificate: string;
  success: string;
}

/** A header or a secret. A stored value is not known here. */
export interface NamedValue {
  name: string;
  /** Undefined: the stored one. */
  value: string | undefined;
}

/** The fields that may be secret. */
export interface Hidden {
  /** The fields of a preset by their names. */
  preset: Readonly<Record<string, string>>;
  headers: readonly NamedValue[];
  secrets: readonly NamedValue[];
}

export const NOTHING_HIDDEN: Hidden = { preset: {}, headers: [], secrets: [] };

const HIDDEN = '…';
const OWN_BODY = '{\n  "text": "{{title}}: {{text}}"\n}';

/** The fields of a new notification. */
export function newFields(channel: Channel, email: string): Fields {
  return {
    name: '',
    destination: channel.name === 'email' ? email : '',
    ...{
      text: '',
      person: '',
      digest: true,
      probe: '',
      format: 'form',
      method: 'POST',
      contentType: '',
      body: OWN_BODY,
    },
    ...{ bodyResolved: '', bodyAcknowledged: '', destinationResolved: '', destinationAcknowledged: '' },
    ...{ caCertificate: '', success: '' },
  };
}

/** The fields of a stored notification. */
export function fieldsOf(notification: Notification): Fields {
  const { destination, text, digest, format, method, body } = notification;
  return {
    name: notification.name ?? '',
    person: notification.person ?? '',
    ...{ destination, text, digest, method },
    probe: notification.probe === null ? '' : String(notification.probe),
    format: body === null ? format : 'own',
    contentType: notification.content_type ?? '',
    body: body === null ? OWN_BODY : bodyText(body),
    bodyResolved: bodyText(notification.body_resolved),
    bodyAcknowledged: bodyText(notification.body_acknowledged),
    destinationResolved: notification.destination_resolved ?? '',
    destinationAcknowledged: notification.destination_acknowledged ?? '',
    ...{ caCertificate: notification.ca_certificate ?? '', success: notification.success ?? '' },
  };
}

/** The names of the stored headers and secrets. */
export function hiddenOf({ headers, secrets }: Notification): Hidden {
  const stored = (values: object) => Object.keys(values).map((name) => ({ name, value: undefined }));
  return { preset: {}, headers: stored(headers), secrets: stored(secrets) };
}

function bodyText(body: unknown): string {
  if (body === null || body === undefined) return '';
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}

/** The notification that the form describes. Throws `Refused` for a body that is not JSON. */
export function notificationOf(channel: Channel, fields: Fields, hidden: Hidden): NewNotification {
  const { name, destination, text, person, digest, probe } = fields;
  const common = { name: name.trim() || null, text, person: person.trim() || null, digest, probe: readProbe(probe) };
  if (channel.preset) return { ...filledIn(hidden.preset), preset: channel.name, ...common };
  if (channel.name === 'push') return { type: 'push', ...common };
  if (channel.name === 'email') return { type: 'email', destination, ...common };
  return { type: 'url', destination, ...common, ...requestOf(fields, hidden) };
}

const HOUR_S = 3_600;
const MOST_PROBE_S = 30 * 24 * HOUR_S;

function readProbe(probe: string): number | null {
  const seconds = Number(probe);
  if (probe !== '' && seconds < HOUR_S) throw new Refused('probe', t('Must be at least 1 hour.'));
  if (seconds > MOST_PROBE_S) throw new Refused('probe', t('Must be at most 30 days.'));
  return probe === '' ? null : seconds;
}

function filledIn(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

function requestOf(fields: Fields, { headers, secrets }: Hidden) {
  const { format, method, destinationResolved, destinationAcknowledged, caCertificate, success } = fields;
  const isOwn = format === 'own';
  const read = (name: string, text: string) => (isOwn ? readBody(name, fields.contentType, text) : null);
  return {
    ...{ method, headers: recordOf('headers', headers), secrets: recordOf('secrets', secrets) },
    format: isOwn ? ('json' as const) : format,
    content_type: isOwn ? fields.contentType.trim() || null : null,
    body: read('body', fields.body),
    body_resolved: read('body_resolved', fields.bodyResolved),
    body_acknowledged: read('body_acknowledged', fields.bodyAcknowledged),
    destination_resolved: destinationResolved || null,
    destination_acknowledged: destinationAcknowledged || null,
    ca_certificate: caCertificate || null,
    success: success.trim() || null,
  };
}

function recordOf(field: string, values: readonly NamedValue[]): Record<string, string> {
  const names = values.map(({ name }) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Refused(field, t('“{name}” is given twice.', { name: twice }));
  return Object.fromEntries(values.map(({ name, value }) => [name.trim(), value ?? HIDDEN]));
}

/** True for the types whose body is an object or a list, as the API decides it. */
export function isStructured(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === '' || /^application\/(json|x-www-form-urlencoded)$/.test(type) || type.endsWith('+json');
}

function readBody(field: string, contentType: string, text: string): unknown {
  if (text.trim() === '' && field !== 'body') return null;
  if (!isStructured(contentType)) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refused(field, t('Not valid JSON: {error}', { error: sentence(withCharacters(messageOf(error))) }));
  }
}

/** A field that cannot be sent. */
class Refused extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** Why fields were refused, by their names in the API; `rest` is what concerns none of them. */
export interface Problems {
  fields: Readonly<Record<string, string>>;
  rest: unknown;
}

/** The problems of an error, for a form that shows these fields. */
export function problemsOf(error: unknown, shown: readonly string[]): Problems {
  if (error instanceof Refused) return { fields: { [error.field]: error.message }, rest: undefined };
  if (!(error instanceof ApiError)) return { fields: {}, rest: error };
  const fields: Record<string, string> = {};
  for (const [path, why] of Object.entries(error.fields)) {
    const [, name = '', inside = ''] = /^notification\.(\w+)(.*)$/.exec(path) ?? [];
    if (!shown.includes(name)) return { fields: {}, rest: error };
    const problem = inside ? `${inside.replace(/^\./, '')}: ${why}${/[.!?]$/.test(why) ? '' : '.'}` : sentence(why);
    fields[name] = [fields[name] ?? '', withCharacters(problem)].join(' ').trim();
  }
  return { fields, rest: Object.keys(fields).length > 0 ? undefined : error };
}
