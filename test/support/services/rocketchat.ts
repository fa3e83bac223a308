import { shownMarkdown } from './markdown';
import { objectIn, objectsOf, requireThat, type ServiceRules } from './service';

const [HOOK, TOKEN] = ['66f0a1b2c3d4e5f6a7b8c9d0', 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789'];
/** Default of the setting Message_MaxAllowedSize, which is about the text of a message and not about attachments. */
const MAX_MESSAGE = 5_000;

/**
 * Fields: https://docs.rocket.chat/docs/integrations. Answers as in its source:
 * https://github.com/RocketChat/Rocket.Chat/blob/develop/apps/meteor/app/integrations/server/api/api.ts, and
 * https://github.com/RocketChat/Rocket.Chat/blob/develop/apps/meteor/app/lib/server/methods/sendMessage.ts for the size,
 * https://github.com/RocketChat/Rocket.Chat/blob/develop/apps/meteor/app/mentions/server/Mentions.ts for mentions.
 * Its rate limiter sends no Retry-After.
 */
export const rocketchat: ServiceRules = {
  preset: 'rocketchat',
  values: (url) => ({ webhook_url: `${url}/hooks/${HOOK}/${TOKEN}` }),
  wrong: (url) => ({ webhook_url: `${url}/hooks/${HOOK}/unknown` }),
  tooMany: (seconds) => {
    const why = `Error, too many requests. Please slow down. You must wait ${seconds} seconds before trying this endpoint again. [error-too-many-requests]`;
    return { status: 429, body: { success: false, error: why } };
  },
  take: (request) => {
    const unknown = { status: 400, body: { success: false, error: 'Invalid integration id or token provided.' } };
    requireThat(request.path.join('/') === `hooks/${HOOK}/${TOKEN}`, unknown);
    const message = objectIn(request, { status: 400, body: { success: false, error: 'Invalid body' } });
    const isSmall = String(message.text ?? '').length <= MAX_MESSAGE;
    requireThat(isSmall, { status: 400, body: { success: false, error: 'error-message-size-exceeded' } });
    requireThat(!('channel' in message) && !('roomId' in message), {
      status: 400,
      body: { success: false, error: 'overriding destination channel is disabled for this integration' },
    });
    const [{ title, text, color } = {}] = objectsOf(message.attachments);
    const read = [title, text].map((part) => shownMarkdown(String(part), 'none'));
    const [name = '', body = ''] = read;
    const whole = JSON.stringify([String(message.text ?? '').replace(/@(all|here)\b/g, 'MENTION of $1'), ...read]);
    const shown = { title: name, text: body, urgency: String(color), whole };
    return { shown, answer: { status: 200, body: { success: true } } };
  },
};
