import { isText, objectIn, objectOf, requireThat, type ServiceRules } from './service';

const TOKEN = 'mF_9.B5f-4.1JqM';
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
/** Strings of CloudEvents hold no control characters. */
const CONTROL = /\p{Cc}/u;

/**
 * Attributes: https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md#context-attributes (required ones and
 * `subject` are not empty, `time` is RFC 3339, names are lower-case letters and digits). Structured mode:
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md. Token, 415 for another format, 429
 * with Retry-After: https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md.
 */
export const cloudevents: ServiceRules = {
  preset: 'cloudevents',
  values: (url) => ({ url: `${url}/events`, token: TOKEN }),
  wrong: (url) => ({ url: `${url}/events`, token: 'unknown' }),
  tooMany: (seconds) => ({ status: 429, headers: { 'Retry-After': String(seconds) } }),
  take: (request) => {
    const challenge = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
    requireThat(request.headers.authorization === `Bearer ${TOKEN}`, { status: 401, headers: challenge });
    const type = request.headers['content-type'] ?? '';
    requireThat(type.startsWith('application/cloudevents+json'), { status: 415 });
    const event = objectIn(request, { status: 400, body: 'no JSON' });
    const wrong = (name: string) => ({ status: 400, body: `invalid attribute ${name}` });
    const { data, ...attributes } = event;
    requireThat(attributes.specversion === '1.0', wrong('specversion'));
    for (const name of ['id', 'source', 'type', 'subject', 'datacontenttype', 'time']) {
      requireThat(isText(attributes[name], 10_000) && !CONTROL.test(attributes[name]), wrong(name));
    }
    for (const name of Object.keys(attributes)) requireThat(/^[a-z0-9]{1,20}$/.test(name), wrong(name));
    requireThat(DATE.test(String(attributes.time)), wrong('time'));
    const { title, text, severity, episode, state } = objectOf(data);
    const shown = {
      ...{ title: String(title), text: String(text), urgency: String(severity), key: String(episode) },
      ...{ isEnd: state === 'resolved', whole: JSON.stringify(data) },
    };
    return { shown, answer: { status: 202 } };
  },
};
