import { shownMarkdown } from './markdown';
import { isText, type Json, objectIn, objectOf, objectsOf, Refused, type ServiceRules } from './service';

const [HOOK, TOKEN] = ['1310203040506070809', 'aBcDeFgHiJkLmNoPqRsTuVwXyZ-0123456789_aBcDeFgHiJkL'];

/**
 * The request: https://discord.com/developers/docs/resources/webhook#execute-webhook. Limits of embeds:
 * https://discord.com/developers/docs/resources/message#embed-object-embed-limits. Errors:
 * https://discord.com/developers/docs/reference#error-messages (Unknown Webhook is 10015). Rate limit, in seconds:
 * https://discord.com/developers/docs/topics/rate-limits.
 */
export const discord: ServiceRules = {
  preset: 'discord',
  values: (url) => ({ webhook_url: `${url}/api/webhooks/${HOOK}/${TOKEN}` }),
  wrong: (url) => ({ webhook_url: `${url}/api/webhooks/${HOOK}/unknown` }),
  tooMany: (seconds) => ({
    status: 429,
    body: { message: 'You are being rate limited.', retry_after: seconds, global: false },
    headers: { 'Retry-After': String(seconds), 'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '0' },
  }),
  take: (request) => {
    const path = request.path.join('/');
    if (path !== `api/webhooks/${HOOK}/${TOKEN}`) {
      throw new Refused({ status: 404, body: { message: 'Unknown Webhook', code: 10015 } });
    }
    const message = objectIn(request, {
      status: 400,
      body: { message: 'The request body contains invalid JSON.', code: 50109 },
    });
    const embeds = objectsOf(message.embeds);
    if (embeds.length === 0 && !isText(message.content, 2_000)) {
      throw new Refused({ status: 400, body: { message: 'Cannot send an empty message', code: 50006 } });
    }
    const problem = findProblem(embeds);
    if (problem) throw invalid(problem);
    const [{ title, description, color } = {}] = embeds;
    const mayMention = objectOf(message.allowed_mentions).parse;
    const mentionsNobody = Array.isArray(mayMention) && mayMention.length === 0;
    const content = mentionsNobody
      ? message.content
      : String(message.content).replace(/@(everyone|here)\b/g, 'MENTION of $1');
    const read = [title, description].map((part) => shownMarkdown(String(part), 'all'));
    const [name = '', text = ''] = read;
    const whole = JSON.stringify([content, ...read]);
    const shown = { title: name, text, urgency: String(color), whole };
    return { shown, answer: { status: 204 } };
  },
};

function findProblem(embeds: Json[]): string | undefined {
  if (embeds.length > 10) return 'embeds';
  let together = 0;
  for (const { title, description, color } of embeds) {
    if (!isText(title, 256, 0)) return 'title';
    if (!isText(description, 4_096, 0)) return 'description';
    if (!Number.isInteger(color) || Number(color) < 0 || Number(color) > 0xffffff) return 'color';
    together += title.length + description.length;
  }
  return together > 6_000 ? 'embeds' : undefined;
}

function invalid(field: string): Refused {
  const _errors = [{ code: 'BASE_TYPE_BAD_LENGTH', message: 'Must be within the limits of an embed.' }];
  return new Refused({
    status: 400,
    body: { message: 'Invalid Form Body', code: 50035, errors: { [field]: { _errors } } },
  });
}
