import { InvalidInput } from '../../platform/errors';
import { withoutUndefined } from '../../platform/without-undefined';
import { APPLICATION_TYPES, type ApplicationType, callbackProblem } from './application';

/** Maximum number of callbacks of an application. */
const MAX_CALLBACKS = 20;

/** A URL to which users return: absolute, without a fragment, at most 2,000 characters. */
export type CallbackUrl = string;

/** The fields of an application. */
export interface ApplicationFields {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "Weather station"
   */
  name?: string;
  /**
   * Shown to users who are asked to allow the application.
   * @maxLength 10000
   * @example "Shows your sensors on a map"
   */
  description?: string;
  /**
   * `web`: on a server; `browser`: in pages, without a secret; `native`: on the user's machine; `service`: for your own
   * account. It cannot be changed.
   * @example "web"
   */
  type?: 'web' | 'browser' | 'native' | 'service';
  /**
   * One URL to which users return, or a list of up to 20. Required for `web` and `browser`.
   * @example ["https://weather.example.org/allowed"]
   */
  callback_url?: CallbackUrl[];
  /**
   * Another name for `callback_url`.
   * @example []
   */
  callback?: CallbackUrl[];
  /**
   * Another name for `callback_url`, used in responses. It is ignored if one of the other two is given, so that a
   * client can send a whole record back and replace its callbacks.
   * @example []
   */
  callback_urls?: CallbackUrl[];
}

/** Registers or changes an application; the fields may also stand in the body itself, as in a form. */
export interface ApplicationRequest extends ApplicationFields {
  application?: ApplicationFields;
}

/** The fields of a new application; InvalidInput names the missing ones. */
export function readNewApplication(body: ApplicationRequest) {
  const { name, type, description, callbackUrls } = readFields(body);
  if (name === undefined) throw InvalidInput.field('application.name', 'is required');
  if (type === undefined) {
    throw InvalidInput.field('application.type', `is required: one of ${APPLICATION_TYPES.join(', ')}`);
  }
  return { name, description, type, callbackUrls: checkCallbacks(callbackUrls ?? [], type) };
}

/** The changes of an application of this type. */
export function readApplicationChanges(body: ApplicationRequest, type: ApplicationType) {
  const { name, type: given, description, callbackUrls } = readFields(body);
  if (given !== undefined && given !== type) throw InvalidInput.field('application.type', 'cannot be changed');
  return { name, description, callbackUrls: callbackUrls && checkCallbacks(callbackUrls, type) };
}

function readFields({ application, ...bare }: ApplicationRequest) {
  const fields: ApplicationFields = { ...withoutUndefined(bare), ...withoutUndefined(application ?? {}) };
  const { callback_url: one, callback: other, callback_urls: third } = fields;
  const given = one || other ? [...(one ?? []), ...(other ?? [])] : third;
  return { ...fields, callbackUrls: given && [...new Set(given)] };
}

function checkCallbacks(urls: string[], type: ApplicationType): string[] {
  const path = 'application.callback_url';
  if (urls.length > MAX_CALLBACKS) throw InvalidInput.field(path, `must have at most ${MAX_CALLBACKS} URLs`);
  if (urls.length === 0 && (type === 'web' || type === 'browser')) {
    throw new InvalidInput(`${path} is required for an application of the type ${type}`, { [path]: 'is required' });
  }
  for (const url of urls) {
    const problem = callbackProblem(url, type);
    if (problem) throw InvalidInput.field(path, problem);
  }
  return urls;
}
