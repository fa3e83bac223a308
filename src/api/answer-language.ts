import { Words } from '../platform/words/words';

/** Where answers hold texts of the platform for people. Lists are passed through. */
const TEXTS = [
  'warning',
  'plan.warning',
  'standstill.reason',
  'preview.note',
  ...['trigger', 'triggers', 'backtest'].map((part) => `${part}.last_error`),
  ...['trigger', 'triggers'].map((part) => `${part}.selector_error`),
  ...['delivery', 'deliveries', 'notification', 'notifications'].map((part) => `${part}.waiting.reason`),
  ...['delivery', 'deliveries'].map((part) => `${part}.attempts.note`),
  ...['mqtt_source', 'mqtt_sources'].map((part) => `${part}.last_error`),
  ...['import.error', 'import.left_out.what', 'import.left_out.why', 'imports.error', 'exports.error', 'export.error'],
  ...['messages.reason', 'services.last_error', 'service.last_error'],
].map((path) => path.split('.'));

/** A body with its texts in the language that the request prefers, as errors are. */
export function inPreferredLanguage(body: object, acceptLanguage: string | undefined): object {
  const words = Words.preferredBy(acceptLanguage);
  if (words === Words.english) return body;
  return TEXTS.reduce<object>((whole, path) => Object(translated(whole, path, words)), body);
}

function translated(value: unknown, [name = '', ...path]: readonly string[], words: Words): unknown {
  if (Array.isArray(value)) return value.map((one) => translated(one, [name, ...path], words));
  if (typeof value !== 'object' || value === null || !(name in value)) return value;
  const part: unknown = Reflect.get(value, name);
  if (path.length > 0) return { ...value, [name]: translated(part, path, words) };
  return typeof part === 'string' ? { ...value, [name]: said(name, part, words) } : value;
}

/** A note joins several texts, each behind the template or the field that it is about. */
const OF_NOTE = /^(\{\{.*\}\}: |text: )?(.*)$/s;

function said(name: string, text: string, words: Words): string {
  if (name !== 'note') return words.said(text);
  const saidOf = (_: string, about = '', why: string) => about + words.said(why);
  return text
    .split('; ')
    .map((one) => one.replace(OF_NOTE, saidOf))
    .join('; ');
}
