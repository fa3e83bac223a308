import { isText, type Json, objectIn, objectOf, objectsOf, requireThat, type ServiceRules } from './service';

const [TEAM, HOOK, TOKEN] = ['T0123456789', 'B0123456789', 'aBcDeFgHiJkLmNoPqRsTuVwX'];

/**
 * Answers and their bodies: https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks;
 * `invalid_token`, `no_text` and `invalid_blocks` are what users report. Blocks:
 * https://docs.slack.dev/reference/block-kit/blocks/section-block (text of 1 to 3,000 characters) and
 * https://docs.slack.dev/reference/block-kit/blocks/context-block (at most 10 elements). Rate limit, with Retry-After:
 * https://docs.slack.dev/apis/web-api/rate-limits.
 */
export const slack: ServiceRules = {
  preset: 'slack',
  values: (url) => ({ webhook_url: `${url}/services/${TEAM}/${HOOK}/${TOKEN}` }),
  wrong: (url) => ({ webhook_url: `${url}/services/${TEAM}/${HOOK}/unknown` }),
  tooMany: (seconds) => ({ status: 429, body: 'rate_limited', headers: { 'Retry-After': String(seconds) } }),
  take: (request) => {
    requireThat(request.path.join('/') === `services/${TEAM}/${HOOK}/${TOKEN}`, { status: 403, body: 'invalid_token' });
    const invalid = { status: 400, body: 'invalid_payload' };
    const message = objectIn(request, invalid);
    requireThat(isText(message.text, 40_000), { status: 400, body: 'no_text' });
    const [attachment] = objectsOf(message.attachments);
    const blocks = objectsOf(attachment?.blocks);
    requireThat(blocks.length > 0 && blocks.every(isBlock), { status: 400, body: 'invalid_blocks' });
    const title = readMarkup(String(message.text));
    const text = String(objectOf(blocks[0]?.text).text);
    const links = objectsOf(blocks[1]?.elements).map((element) => readMarkup(String(element.text)));
    const whole = JSON.stringify([title, text, links]);
    return { shown: { title, text, urgency: String(attachment?.color), whole }, answer: { status: 200, body: 'ok' } };
  },
};

function isBlock(block: Json): boolean {
  if (block.type === 'section') return isTextObject(block.text);
  const elements = objectsOf(block.elements);
  return block.type === 'context' && elements.length >= 1 && elements.length <= 10 && elements.every(isTextObject);
}

function isTextObject(value: unknown): boolean {
  const { type, text } = objectOf(value);
  return (type === 'plain_text' || type === 'mrkdwn') && isText(text, 3_000);
}

/** https://docs.slack.dev/messaging/formatting-message-text: `<!channel>` and `<@U1>` mention, `&lt;` is a character. */
function readMarkup(text: string): string {
  const shown = text.replace(/<!(\w+)>/g, 'MENTION of $1').replace(/<@(\w+)>/g, 'MENTION of $1');
  return shown.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
}
