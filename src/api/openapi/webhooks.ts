import { EVENT_NAMES } from '../../events/event-catalogue';
import type { Schema } from './document';
import { DIGEST_JSON, EVENT_JSON, FIRED_JSON, TEST_JSON } from './webhook-bodies';

const id = (description: string, example: string): Schema => ({ type: 'string', description, example });

const HEADERS = [
  {
    name: 'webhook-id',
    description: 'The id of the delivery, the same at every attempt: do nothing twice for one id.',
    schema: { type: 'string', example: 'msg_2b3e67b0c0a64253a436d1d79b903868' },
  },
  {
    name: 'webhook-timestamp',
    description: 'When this attempt was made, in unix seconds. Refuse one that is more than five minutes off.',
    schema: { type: 'string', example: '1795229545' },
  },
  {
    name: 'webhook-signature',
    description:
      'One signature or several, separated by spaces; one that fits is enough. Each is `v1,` and the base64 of an HMAC-SHA-256 over `<webhook-id>.<webhook-timestamp>.<body>`; its key is the base64 after `whsec_` in the `signing_secret` of the notification.',
    schema: { type: 'string', example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=' },
  },
].map((header) => ({ ...header, in: 'header', required: true }));

const RESPONSES = {
  '2XX': { description: 'It is delivered. Answer within 10 seconds.' },
  '410': { description: 'The delivery is given up at once.' },
  '4XX': { description: 'The delivery is given up after 3 attempts; 408, 425 and 429 are tried again like 5xx.' },
  '5XX': {
    description:
      'It is tried again after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 8 h and 16 h, or later if `Retry-After` says so.',
  },
};

/** Requests to receivers of URL deliveries. The rest is in docs/webhooks.md. */
export const WEBHOOKS: Record<string, object> = {
  triggerFired: webhook(
    'triggerFired',
    'Receive a firing',
    'A trigger with a notification to your URL fired, or one of its episodes ended.',
    FIRED_JSON,
    {
      sensor_id: id('The sensor on which it fired.', '42'),
      trigger_id: id('The trigger that fired.', '5'),
      text: { type: 'string', description: 'The text of the notification.', example: 'greenhouse: 31.2 °C' },
      state: {
        type: 'string',
        description: 'Only at the end of an episode, whose `text` is that of the trigger.',
        enum: ['resolved'],
        example: 'resolved',
      },
    },
    ['sensor_id', 'trigger_id', 'text'],
  ),
  triggersDigested: webhook(
    'triggersDigested',
    'Receive a digest',
    'So many triggers with one notification to your URL fired in a minute that the rest of that minute is in one request. Only where `digest` of the notification is true.',
    DIGEST_JSON,
    {
      text: { type: 'string', description: 'How many there are, and a line for each of the first ones.', example: '' },
    },
  ),
  eventHappened: webhook(
    'eventHappened',
    'Receive an event',
    'An event with an event notification to your URL happened. When others cause very many events, one request may count the rest of a minute.',
    EVENT_JSON,
    {
      event: {
        type: 'string',
        description: 'The name of the event.',
        enum: [...EVENT_NAMES],
        example: 'add_sensor_user',
      },
      subject_id: id('What it happened to; absent if it has no id.', '2'),
      source_id: id('The sensor, group or environment in which it happened; absent where there is none.', '42'),
      user_id: id('The owner of the notification.', '1'),
      text: { type: 'string', description: 'The text of the notification; absent if it is empty.', example: 'shared' },
    },
    ['event', 'user_id'],
  ),
  notificationTested: webhook(
    'notificationTested',
    'Receive a test',
    'The notification was tested by its owner.',
    TEST_JSON,
    { text: { type: 'string', description: 'The text of the notification.', example: 'greenhouse: 31.2 °C' } },
  ),
};

function webhook(
  operationId: string,
  summary: string,
  description: string,
  json: Schema,
  properties: Record<string, Schema>,
  required = Object.keys(properties),
): object {
  const schema: Schema = { type: 'object', properties, required };
  return {
    post: {
      operationId,
      summary,
      description,
      tags: ['Notifications'],
      security: [],
      parameters: HEADERS,
      requestBody: {
        description: 'A form, or JSON where the `format` of the notification says so.',
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema: json } },
      },
      responses: RESPONSES,
    },
  };
}
