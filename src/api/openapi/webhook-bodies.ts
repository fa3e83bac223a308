import type { Schema } from './document';

const id = (description: string, example: string): Schema => ({ type: ['string', 'null'], description, example });
const text: Schema = { type: 'string', description: 'The text of the notification.', example: 'greenhouse: 31.2 °C' };

const named = (what: string, example: object, others: Record<string, Schema> = {}): Schema => ({
  type: 'object',
  description: `The ${what}; its \`id\` is null in a sample.`,
  properties: {
    id: id(`The id of the ${what}.`, '42'),
    name: { type: 'string', description: 'Its name.', example: '' },
    ...others,
  },
  required: ['id', 'name', ...Object.keys(others)],
  additionalProperties: false,
  example,
});

const ALERT: Record<string, Schema> = {
  firing_id: id('The firing; null in a test.', '207'),
  episode: id('The first firing of the episode; null in a test.', '205'),
  state: {
    type: 'string',
    enum: ['firing', 'resolved'],
    description: 'Whether it fired, or its episode has ended.',
    example: 'firing',
  },
  reason: {
    type: ['string', 'null'],
    enum: ['expression', 'inactivity', null],
    description: 'What made it fire.',
    example: 'expression',
  },
  sensor: named('sensor', { id: '42', name: 'greenhouse' }),
  trigger: named(
    'trigger',
    { id: '5', name: 'too warm', severity: 'warning' },
    {
      severity: {
        type: 'string',
        enum: ['info', 'warning', 'critical'],
        description: 'How urgent its firings are.',
        example: 'warning',
      },
    },
  ),
  value: {
    type: ['string', 'null'],
    description: 'The value of the deciding point; null where none decided.',
    example: '31.2',
  },
  date: {
    type: 'number',
    description: 'The date of that point, else of the decision, in unix seconds.',
    example: 1795229544.1,
  },
};

const ACKNOWLEDGE_URL: Schema = {
  type: 'string',
  format: 'uri',
  description: 'A POST to it acknowledges the firing without a session, until its episode ends. Only of a firing.',
  example: 'https://sensors.example.org/acknowledge?token=n7-207.o9Xyx3sJmVbHkGmX4n2f0mY0yqv3m1sG6m4kqz7F1aE',
};

export const FIRED_JSON = envelope(
  ['trigger.fired', 'trigger.resolved'],
  record({ ...ALERT, acknowledge_url: ACKNOWLEDGE_URL, text }, [...Object.keys(ALERT), 'text']),
);

export const DIGEST_JSON = envelope(
  ['trigger.digest'],
  record({
    count: { type: 'integer', description: 'How many deliveries it stands for.', example: 37 },
    alerts: {
      type: 'array',
      description: 'The first 100 of them, each with its own `id`, as one alone has it in `webhook-id`.',
      items: record({ id: { type: 'string', description: 'Its `webhook-id`.', example: 'msg_1' }, ...ALERT, text }),
    },
    text: { ...text, description: 'How many there are, and a line for each of the first ones.' },
  }),
);

export const EVENT_JSON = envelope(
  undefined,
  record({
    event: { type: 'string', description: 'The name of the event.', example: 'add_sensor_user' },
    subject_id: id('What it happened to; null if it has no id.', '2'),
    source_id: id('The sensor, group or environment in which it happened; null where there is none.', '42'),
    user_id: id('The owner of the notification.', '1'),
    text: { ...text, description: 'The text of the notification; may be empty.' },
  }),
);

export const TEST_JSON = envelope(
  ['trigger.test'],
  record(
    {
      test: { type: 'boolean', enum: [true], description: 'Always true.', example: true },
      probe: { type: 'boolean', enum: [true], description: 'Only in a probe, which the clock makes.', example: true },
      ...ALERT,
      text,
    },
    ['test', 'text'],
  ),
);

function envelope(types: string[] | undefined, data: Schema): Schema {
  const type = { type: 'string', description: 'What it is about.', ...(types && { enum: types }) };
  return record({
    type: { ...type, example: types?.[0] ?? 'event.add_sensor_user' },
    timestamp: {
      type: 'string',
      format: 'date-time',
      description: 'When it happened.',
      example: '2026-11-21T02:52:24.800Z',
    },
    data,
  });
}

function record(properties: Record<string, Schema>, required = Object.keys(properties)): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}
