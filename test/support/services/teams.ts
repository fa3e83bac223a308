import { shownMarkdown } from './markdown';
import { bytesOf, type Json, objectIn, objectOf, objectsOf, requireThat, type ServiceRules } from './service';

const SIGNATURE = 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789aBc-_E';
const MAX_BYTES = 28 * 1024;

/**
 * The message of one card, at most 28 KB:
 * https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook and
 * https://learn.microsoft.com/en-us/connectors/teams/. Elements: https://adaptivecards.io/explorer/TextBlock.html.
 * That a workflow answers 202, and 401 to a wrong signature, is what its users report; no page of Microsoft says it. No
 * Retry-After is documented.
 */
export const teams: ServiceRules = {
  preset: 'teams',
  values: (url) => ({ webhook_url: hookOf(url, SIGNATURE) }),
  wrong: (url) => ({ webhook_url: hookOf(url, 'unknown') }),
  tooMany: () => ({ status: 429, body: { error: { code: 'TooManyRequests', message: 'Rate limit is exceeded.' } } }),
  take: (request) => {
    const denied = { error: { code: 'DirectApiAuthorizationRequired', message: 'The request must be authenticated.' } };
    requireThat(request.query.get('sig') === SIGNATURE, { status: 401, body: denied });
    requireThat(request.query.get('api-version') === '2016-06-01', invalid('api-version'));
    requireThat(request.query.get('sp') === '/triggers/manual/run', invalid('sp'));
    requireThat(bytesOf(request) <= MAX_BYTES, { status: 413, body: { error: { code: 'RequestEntityTooLarge' } } });
    const message = objectIn(request, invalid('body'));
    const [attachment = {}] = objectsOf(message.attachments);
    requireThat(message.type === 'message', invalid('type'));
    requireThat(attachment.contentType === 'application/vnd.microsoft.card.adaptive', invalid('contentType'));
    const card = objectOf(attachment.content);
    requireThat(card.type === 'AdaptiveCard' && /^1\.[0-5]$/.test(String(card.version)), invalid('card'));
    const blocks = objectsOf(card.body);
    requireThat(blocks.length > 0 && blocks.every(isTextBlock), invalid('card.body'));
    const [title, text, links] = blocks;
    const read = [title, text, links].map((block) => shownMarkdown(String(block?.text), 'cards'));
    const [name = '', body = ''] = read;
    const whole = JSON.stringify(read);
    const shown = { title: name, text: body, urgency: String(title?.color), whole };
    return { shown, answer: { status: 202 } };
  },
};

function hookOf(url: string, signature: string): string {
  const query = `api-version=2016-06-01&sp=${encodeURIComponent('/triggers/manual/run')}&sv=1.0&sig=${signature}`;
  return `${url}/workflows/0123456789abcdef0123456789abcdef/triggers/manual/paths/invoke?${query}`;
}

function isTextBlock({ type, text }: Json): boolean {
  return type === 'TextBlock' && typeof text === 'string';
}

function invalid(what: string) {
  return {
    status: 400,
    body: { error: { code: 'InvalidRequestContent', message: `The request is invalid: ${what}.` } },
  };
}
