import { isText, objectIn, objectOf, requireThat, type ServiceRules } from './service';

const TOKEN = 'AkWcGmDyGs5rGXH';

/**
 * The request, with the token in `X-Gotify-Key`: https://gotify.net/docs/pushmsg. `message` is required, `priority` is an
 * integer, `extras` an object: https://gotify.net/docs/msgextras and
 * https://github.com/gotify/server/blob/master/model/message.go. Errors: https://gotify.net/api-docs (Error). Gotify has
 * no rate limit; a proxy before it may have one.
 */
export const gotify: ServiceRules = {
  preset: 'gotify',
  values: (url) => ({ server: url, token: TOKEN }),
  wrong: (url) => ({ server: url, token: 'AUnknown' }),
  tooMany: (seconds) => ({ status: 429, headers: { 'Retry-After': String(seconds) } }),
  take: (request) => {
    requireThat(request.path.join('/') === 'message', error(404, 'Not Found', 'page not found'));
    const isKnown = request.headers['x-gotify-key'] === TOKEN;
    requireThat(
      isKnown,
      error(401, 'Unauthorized', 'you need to provide a valid access token or user credentials to access this api'),
    );
    const message = objectIn(request, error(400, 'Bad Request', 'invalid character'));
    requireThat(isText(message.message, 1_000_000), error(400, 'Bad Request', "Field 'message' is required"));
    requireThat(typeof message.title === 'string', error(400, 'Bad Request', 'title'));
    requireThat(Number.isInteger(message.priority), error(400, 'Bad Request', 'priority'));
    const click = objectOf(objectOf(objectOf(message.extras)['client::notification']).click).url;
    const whole = JSON.stringify([message.title, message.message, click]);
    const shown = {
      title: String(message.title),
      text: String(message.message),
      urgency: String(message.priority),
      whole,
    };
    return { shown, answer: { status: 200, body: { id: 25, appid: 5, message: message.message } } };
  },
};

function error(errorCode: number, name: string, errorDescription: string) {
  return { status: errorCode, body: { error: name, errorCode, errorDescription } };
}
