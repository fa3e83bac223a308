import { isText, objectIn, requireThat, type ServiceRules } from './service';

const KEY = 'greenhouse';

/**
 * `/notify/{KEY}` with `body`, which is required, `title`, `type`, `format` and `tag`; a key of 1 to 64 letters, digits,
 * `_` and `-`; 204 for a key without a configuration, 424 if a service behind it failed:
 * https://github.com/caronc/apprise-api#persistent-storage-solution. It has no rate limit; a proxy before it may have one.
 */
export const apprise: ServiceRules = {
  preset: 'apprise',
  values: (url) => ({ server: url, key: KEY, tag: 'devops' }),
  tooMany: (seconds) => ({ status: 429, headers: { 'Retry-After': String(seconds) } }),
  take: (request) => {
    const [notify, key = '', ...more] = request.path;
    const isPath = notify === 'notify' && more.length === 0 && /^[\w-]{1,64}$/.test(key);
    requireThat(isPath, { status: 404, body: { error: 'not found' } });
    requireThat(key === KEY, { status: 204 });
    const { body, title, type, format, tag } = objectIn(request, { status: 400, body: { error: 'invalid JSON' } });
    requireThat(isText(body, 1_000_000), { status: 400, body: { error: 'Bad FORM Payload provided.' } });
    const isType = ['info', 'success', 'warning', 'failure'].includes(String(type));
    requireThat(isType, { status: 400, body: { error: 'An invalid notification type was specified.' } });
    const isFormat = ['text', 'markdown', 'html'].includes(String(format));
    requireThat(isFormat, { status: 400, body: { error: 'An invalid body input format was specified.' } });
    requireThat(tag === 'devops', { status: 424, body: { error: 'One or more notification could not be sent.' } });
    const whole = JSON.stringify([title, body]);
    const shown = { title: String(title), text: body, urgency: String(type), whole };
    return { shown, answer: { status: 200, body: {} } };
  },
};
