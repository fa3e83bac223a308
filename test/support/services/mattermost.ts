import { shownMarkdown } from './markdown';
import { objectIn, objectsOf, requireThat, type ServiceRules } from './service';

const HOOK = 'example0hook0of0mattermost';
/** Number of characters of the properties of a post, in which attachments are kept. */
const MAX_PROPERTIES = 800_000;

/**
 * Fields: https://developers.mattermost.com/integrate/webhooks/incoming/. Refusals and mentions as in its source:
 * https://github.com/mattermost/mattermost/blob/master/server/channels/app/webhook.go (neither a text nor attachments),
 * https://github.com/mattermost/mattermost/blob/master/server/channels/app/notification.go (`getMentionsEnabledFields`).
 * Rate limit:
 * https://github.com/mattermost/mattermost/blob/master/server/channels/app/ratelimit.go.
 */
export const mattermost: ServiceRules = {
  preset: 'mattermost',
  values: (url) => ({ webhook_url: `${url}/hooks/${HOOK}` }),
  wrong: (url) => ({ webhook_url: `${url}/hooks/unknown0hook0of0mattermost` }),
  tooMany: (seconds) => ({
    status: 429,
    body: 'limit exceeded',
    headers: { 'X-RateLimit-Limit': '10', 'X-RateLimit-Remaining': '0', 'Retry-After': String(seconds) },
  }),
  take: (request) => {
    requireThat(
      request.path.join('/') === `hooks/${HOOK}`,
      error('web.incoming_webhook.invalid.app_error', 'Invalid webhook.'),
    );
    const message = objectIn(request, error('web.incoming_webhook.decode.app_error', 'Unable to parse incoming data.'));
    const attachments = objectsOf(message.attachments);
    const empty = error('web.incoming_webhook.text.app_error', 'No text specified.');
    requireThat(attachments.length > 0 || String(message.text ?? '') !== '', empty);
    const isSmall = JSON.stringify(attachments).length <= MAX_PROPERTIES;
    requireThat(isSmall, error('web.incoming_webhook.split_props_length.app_error', 'Unable to split webhook props.'));
    const [attachment = {}] = attachments;
    const { author_name, title, text, pretext, color } = attachment;
    const read = [message.text, text, pretext].map((part) =>
      String(part ?? '').replace(/@(channel|all|here)\b/g, 'MENTION of $1'),
    );
    const heading = shownMarkdown(String(title), 'all');
    const whole = JSON.stringify([author_name, heading, ...read.map((part) => shownMarkdown(part, 'all'))]);
    const shown = { title: String(author_name), text: heading, urgency: String(color), whole };
    return { shown, answer: { status: 200, body: 'ok' } };
  },
};

function error(id: string, message: string) {
  const request_id = '0example0request0';
  return { status: 400, body: { id, message, detailed_error: '', request_id, status_code: 400 } };
}
