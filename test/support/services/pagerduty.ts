import { bytesOf, isText, objectIn, objectOf, requireThat, type ServiceRules } from './service';

const KEY = 'R0123456789ABCDEF0123456789ABCDE';
const MAX_BYTES = 512 * 1024;

/**
 * The event: https://developer.pagerduty.com/docs/events-api-v2/trigger-events/ (`routing_key` of 32 characters,
 * `dedup_key` of at most 255, `summary` of at most 1,024, four severities). Answers, the limit of 512 KB, and that a
 * limited client waits "some time" (the body of 429 is not documented): https://developer.pagerduty.com/docs/events-api-v2/overview/.
 */
export const pagerduty: ServiceRules = {
  preset: 'pagerduty',
  values: (url) => ({ server: url, routing_key: KEY }),
  wrong: (url) => ({ server: url, routing_key: 'R0000000000000000000000000000000' }),
  tooMany: () => ({
    status: 429,
    body: { status: 'throttle exceeded', message: 'Requests for this service are arriving too quickly.' },
  }),
  take: (request) => {
    requireThat(request.path.join('/') === 'v2/enqueue', { status: 404, body: { status: 'not found' } });
    requireThat(bytesOf(request) <= MAX_BYTES, invalid('Event is too large'));
    const event = objectIn(request, invalid('JSON parse error'));
    const { routing_key, event_action, dedup_key, payload } = event;
    const isLong = typeof routing_key === 'string' && routing_key.length === 32;
    requireThat(isLong, invalid("Length of 'routing_key' is incorrect (should be 32 characters)"));
    requireThat(routing_key === KEY, invalid('Invalid routing key'));
    const isAction = ['trigger', 'acknowledge', 'resolve'].includes(String(event_action));
    requireThat(isAction, invalid("'event_action' is invalid (must be one of: trigger, acknowledge, resolve)"));
    requireThat(isText(dedup_key, 255), invalid("'dedup_key' is too long"));
    const answer = { status: 202, body: { status: 'success', message: 'Event processed', dedup_key } };
    if (event_action === 'acknowledge') {
      return { shown: { title: '', text: '', urgency: '', key: dedup_key, whole: '"acknowledged"' }, answer };
    }
    const { summary, source, severity, timestamp, custom_details } = objectOf(payload);
    requireThat(isText(summary, 1_024), invalid("'payload.summary' is missing or blank"));
    requireThat(isText(source, 1_024), invalid("'payload.source' is missing or blank"));
    const isSeverity = ['critical', 'error', 'warning', 'info'].includes(String(severity));
    requireThat(isSeverity, invalid("'payload.severity' is invalid (must be one of: info, warning, error, critical)"));
    requireThat(!Number.isNaN(Date.parse(String(timestamp))), invalid("'payload.timestamp' is invalid"));
    const shown = {
      ...{ title: String(summary), text: String(objectOf(custom_details).text), urgency: String(severity) },
      ...{ key: dedup_key, isEnd: event_action === 'resolve', whole: JSON.stringify(payload) },
    };
    return { shown, answer };
  },
};

function invalid(why: string) {
  return { status: 400, body: { status: 'invalid event', message: 'Event object is invalid', errors: [why] } };
}
