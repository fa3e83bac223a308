import { bytesOf, isText, objectIn, objectOf, objectsOf, requireThat, type ServiceRules } from './service';

const [KEY, TOKEN] = ['AIzaSyAbCdEfGhIjKlMnOpQrStUvWxYz0123456', 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789aBcDeF='];
const MAX_BYTES = 32_000;
const FIELDS = ['text', 'cardsV2', 'thread', 'fallbackText', 'formattedText', 'accessoryWidgets'];

/**
 * The request, at most 32,000 bytes, and `requestId`, with which a repetition makes no second message:
 * https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create. Threads by `threadKey`:
 * https://developers.google.com/workspace/chat/quickstart/webhooks. Markup of cards:
 * https://developers.google.com/workspace/chat/format-messages. Limits, without Retry-After:
 * https://developers.google.com/workspace/chat/limits. A wrong token or key:
 * https://github.com/ericferon/glpi-webhook/issues/30.
 */
export const googlechat: ServiceRules = {
  preset: 'googlechat',
  values: (url) => ({ webhook_url: hookOf(url, TOKEN) }),
  wrong: (url) => ({ webhook_url: hookOf(url, 'unknown') }),
  tooMany: () => error(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'),
  take: (request) => {
    const { query, path } = request;
    requireThat(
      query.get('key') === KEY,
      error(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'),
    );
    const isKnown = query.get('token') === TOKEN;
    requireThat(isKnown, error(403, 'PERMISSION_DENIED', 'The API is called without a valid token.'));
    requireThat(path.join('/') === 'v1/spaces/AAAAbCdEfGh/messages', error(404, 'NOT_FOUND', 'Not found.'));
    const wrong = (what: string) => error(400, 'INVALID_ARGUMENT', what);
    requireThat(bytesOf(request) <= MAX_BYTES, wrong('Message is too long.'));
    const message = objectIn(request, wrong('Invalid JSON payload received.'));
    const unknown = Object.keys(message).find((name) => !FIELDS.includes(name));
    requireThat(
      unknown === undefined,
      wrong(`Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`),
    );
    const [{ card } = {}] = objectsOf(message.cardsV2);
    const { header, sections } = objectOf(card);
    const paragraphs = objectsOf(objectsOf(sections)[0]?.widgets).map((widget) => objectOf(widget.textParagraph).text);
    const isWhole = paragraphs.length > 0 && paragraphs.every((text) => isText(text, MAX_BYTES));
    requireThat(isWhole, wrong('textParagraph.text is required.'));
    const threadKey = objectOf(message.thread).threadKey;
    const title = String(objectOf(header).title);
    const [text = '', links = ''] = paragraphs.map((paragraph) => readMarkup(String(paragraph)));
    const urgency = /#[0-9a-f]{6}/.exec(String(paragraphs[1]))?.[0] ?? '';
    const shown = { title, text, urgency, key: String(threadKey), whole: JSON.stringify([title, text, links]) };
    return { shown, answer: { status: 200, body: { name: `spaces/AAAAbCdEfGh/messages/${query.get('requestId')}` } } };
  },
};

function hookOf(url: string, token: string): string {
  return `${url}/v1/spaces/AAAAbCdEfGh/messages?key=${KEY}&token=${encodeURIComponent(token)}`;
}

function readMarkup(text: string): string {
  const shown = text.replace(/<users\/(\w+)>/g, 'MENTION of $1');
  return shown.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
}

function error(code: number, status: string, message: string) {
  return { status: code, body: { error: { code, message, status } } };
}
