import { isText, objectIn, requireThat, type ServiceRules } from './service';

const TOKEN = '110201543:AA-example-token-of-a-bot-0123456789';
const CHAT = -1001234567890;
const TAGS = /<(?:\/?b|a href="[^"<>]*"|\/a)>/g;

/**
 * The request, with 1 to 4,096 characters after the markup is read: https://core.telegram.org/bots/api#sendmessage.
 * Markup: https://core.telegram.org/bots/api#html-style. Answers: https://core.telegram.org/bots/api#making-requests,
 * and `retry_after` in https://core.telegram.org/bots/api#responseparameters; its server sends it as Retry-After as well
 * (https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/HttpConnection.cpp).
 */
export const telegram: ServiceRules = {
  preset: 'telegram',
  values: (url) => ({ server: url, token: TOKEN, chat_id: String(CHAT) }),
  wrong: (url) => ({ server: url, token: '110201543:unknown', chat_id: String(CHAT) }),
  tooMany: (seconds) => ({
    ...error(429, `Too Many Requests: retry after ${seconds}`, { parameters: { retry_after: seconds } }),
    headers: { 'Retry-After': String(seconds) },
  }),
  take: (request) => {
    const [bot, method] = request.path;
    requireThat(bot === `bot${TOKEN}`, error(401, 'Unauthorized'));
    requireThat(method === 'sendMessage', error(404, 'Not Found'));
    const message = objectIn(request, error(400, 'Bad Request: message text is empty'));
    requireThat(message.chat_id === CHAT, error(400, 'Bad Request: chat not found'));
    requireThat(message.parse_mode === 'HTML', error(400, 'Bad Request: unsupported parse_mode'));
    const source = String(message.text ?? '');
    const marked = source.replace(TAGS, '');
    requireThat(!/[<>]/.test(marked), error(400, "Bad Request: can't parse entities: unsupported start tag"));
    const text = marked.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
    requireThat(text.trim() !== '', error(400, 'Bad Request: message text is empty'));
    requireThat(isText(text, 4_096), error(400, 'Bad Request: message is too long'));
    const [title = '', ...lines] = text.split('\n');
    const links = [...source.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
    const shown = { title, text: lines.join('\n'), urgency: '', whole: JSON.stringify([text, links]) };
    return { shown, answer: { status: 200, body: { ok: true, result: { message_id: 1 } } } };
  },
};

function error(code: number, description: string, more = {}) {
  return { status: code, body: { ok: false, error_code: code, description, ...more } };
}
