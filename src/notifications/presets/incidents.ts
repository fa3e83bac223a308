import { base, basic, bearer, JSON_BODY, optional, ownServer, type Preset, required, serverOf } from './preset';
import { byUrgency, EPISODE_KEY, first, MESSAGE, plainLink } from './templates';

const SENDER = 'sensor-data-platform';
const NAMED_SENSOR = `sensor_name == "" ? "${SENDER}" : sensor_name`;
const LINKS = { acknowledge_url: '{{acknowledge_url}}', chart_url: '{{chart_url}}' };

export const pagerduty: Preset = {
  name: 'pagerduty',
  title: 'PagerDuty',
  documentation: 'https://developer.pagerduty.com/docs/events-api-v2/trigger-events/',
  fields: [
    required({
      name: 'routing_key',
      title: 'Integration key',
      help: 'In PagerDuty: Services, your service, Integrations, Add an integration, Events API V2; then its Integration Key.',
      example: 'R0123456789ABCDEF0123456789ABCDE',
      pattern: '[A-Za-z0-9]{32}',
      expected: 'an integration key of 32 letters and digits',
      secret: true,
    }),
    serverOf('PagerDuty', 'https://events.pagerduty.com'),
  ],
  fill: ({ routing_key = '', server }) => ({
    destination: `${base(server)}/v2/enqueue`,
    ...{ method: 'POST', headers: {}, secrets: { routing_key }, contentType: JSON_BODY },
    body: {
      routing_key: '{{secrets.routing_key}}',
      event_action: '{{state == "resolved" ? "resolve" : "trigger"}}',
      dedup_key: EPISODE_KEY,
      client: SENDER,
      payload: {
        ...{ summary: first('title', 500), source: first(NAMED_SENSOR, 250), severity: '{{severity}}' },
        ...{ timestamp: '{{iso(date)}}', class: '{{kind}}' },
        custom_details: { text: first(MESSAGE, 10000), ...LINKS },
      },
    },
    bodyAcknowledged: {
      ...{ routing_key: '{{secrets.routing_key}}', event_action: 'acknowledge', dedup_key: EPISODE_KEY },
    },
  }),
};

/** Lengths are half of what the service takes, because a character may count as two. */
export const jiraServiceManagement: Preset = {
  name: 'jira_service_management',
  title: 'Jira Service Management',
  documentation: 'https://developer.atlassian.com/cloud/jira/service-desk-ops/rest/v1/api-group-integration-events/',
  fields: [
    required({
      name: 'api_key',
      title: 'API key',
      help: 'In Jira: your team, Operations, Integrations, Add integration, API; switch it on, then copy its API key.',
      example: '01234567-89ab-cdef-0123-456789abcdef',
      pattern: '[A-Za-z0-9-]{20,100}',
      expected: 'the API key of an integration',
      secret: true,
    }),
    serverOf('the integration events of Atlassian', 'https://api.atlassian.com/jsm/ops/integration'),
  ],
  fill: ({ api_key, server }) => ({
    destination: `${base(server)}/v2/alerts`,
    destinationResolved: `${base(server)}/v2/alerts/${EPISODE_KEY}/close?identifierType=alias`,
    destinationAcknowledged: `${base(server)}/v2/alerts/${EPISODE_KEY}/acknowledge?identifierType=alias`,
    ...{ method: 'POST', headers: { Authorization: `GenieKey ${api_key}` }, secrets: {}, contentType: JSON_BODY },
    body: {
      ...{ message: first('title', 65), alias: EPISODE_KEY, description: first(MESSAGE, 7000) },
      ...{ source: SENDER, entity: first('sensor_name', 250), tags: ['{{severity}}'] },
      priority: byUrgency({ resolved: '"P5"', critical: '"P1"', warning: '"P3"', other: '"P5"' }),
      details: LINKS,
    },
    bodyResolved: { source: SENDER, note: first(MESSAGE, 7000) },
    bodyAcknowledged: { source: SENDER },
  }),
};

const FIVE_MINUTES = 300;
const THIRTY_DAYS = 2_592_000;

/**
 * Alertmanager ends an alert after five minutes unless it has an end. So an episode ends in 30 days, or by its own end;
 * what belongs to no episode ends after five minutes.
 */
export const alertmanager: Preset = {
  name: 'alertmanager',
  title: 'Prometheus Alertmanager',
  documentation: 'https://prometheus.io/docs/alerting/latest/alerts_api/',
  fields: [
    ownServer('Alertmanager', 'https://alertmanager.example.org'),
    optional({
      name: 'username',
      title: 'Username',
      help: 'For a server with basic authentication: a user of basic_auth_users in its web configuration file.',
      example: 'sensors',
      pattern: '[^\\s:]{1,100}',
      expected: 'a username without blanks and colons',
    }),
    optional({
      name: 'password',
      title: 'Password',
      help: 'The password of that user.',
      example: 'correct horse battery staple',
      pattern: '[ -~]{1,200}',
      expected: 'a password of at most 200 characters',
      secret: true,
    }),
  ],
  fill: ({ server, username, password }) => ({
    destination: `${base(server)}/api/v2/alerts`,
    ...{ method: 'POST', headers: basic(username, password), secrets: {}, contentType: JSON_BODY },
    body: [
      {
        labels: {
          alertname: '{{trigger_name != "" ? trigger_name : event != "" ? event : kind}}',
          ...{ sensor: '{{sensor_name}}', sensor_id: '{{sensor_id}}', severity: '{{severity}}' },
          ...{ episode: '{{episode}}', job: SENDER },
        },
        annotations: { summary: first('title', 200), description: first(MESSAGE, 10000), ...LINKS },
        startsAt: '{{iso(episode == "" ? date : date - duration)}}',
        endsAt: `{{iso(state == "resolved" ? date : episode == "" ? date + ${FIVE_MINUTES} : date + ${THIRTY_DAYS})}}`,
        generatorURL: '{{chart_url}}',
      },
    ],
  }),
};

export const apprise: Preset = {
  name: 'apprise',
  title: 'Apprise API',
  documentation: 'https://github.com/caronc/apprise-api#persistent-storage-solution',
  fields: [
    ownServer('Apprise', 'https://apprise.example.org'),
    required({
      name: 'key',
      title: 'Configuration key',
      help: 'The key under which the server keeps your services: the last part of the address of its configuration page, /cfg/<key>.',
      example: 'greenhouse',
      pattern: '[A-Za-z0-9_-]{1,64}',
      expected: 'a key of 1 to 64 letters, digits, - and _',
      secret: true,
    }),
    optional({
      name: 'tag',
      title: 'Tag',
      help: 'Only the services with this tag get the messages; all of them by default.',
      example: 'devops',
      pattern: '[A-Za-z0-9_-]{1,64}',
      expected: 'a tag of letters, digits, - and _',
    }),
  ],
  fill: ({ server, key = '', tag }, words) => ({
    destination: `${base(server)}/notify/{{secrets.key}}`,
    ...{ method: 'POST', headers: {}, secrets: { key }, contentType: JSON_BODY },
    // 204 for a key without a configuration: nobody got the message.
    success: 'status == 200',
    body: {
      ...{ title: first('title', 200), body: `${first(MESSAGE, 4000)}${plainLink(words)}`, format: 'text' },
      type: byUrgency({ resolved: '"success"', critical: '"failure"', warning: '"warning"', other: '"info"' }),
      ...(tag === undefined ? {} : { tag }),
    },
  }),
};

/** Structured content mode. A webhook of CloudEvents takes a bearer token. */
export const cloudevents: Preset = {
  name: 'cloudevents',
  title: 'CloudEvents',
  documentation: 'https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md',
  fields: [
    required({
      name: 'url',
      title: 'URL',
      help: 'The address that takes the events, for example the URL of a broker or an event grid.',
      example: 'https://events.example.org/sensors',
      format: 'url',
    }),
    optional({
      name: 'token',
      title: 'Bearer token',
      help: 'The token that the receiver asks for, if any.',
      example: 'mF_9.B5f-4.1JqM',
      pattern: '[!-~]{1,1000}',
      expected: 'a bearer token',
      secret: true,
    }),
  ],
  fill: ({ url = '', token }) => ({
    destination: url,
    ...{
      method: 'POST',
      headers: bearer(token),
      secrets: {},
      contentType: 'application/cloudevents+json; charset=utf-8',
    },
    body: {
      ...{ specversion: '1.0', id: '{{webhook_id}}', source: '/sensors/{{sensor_id}}', time: '{{iso(date)}}' },
      type: `org.${SENDER}.{{kind}}.{{kind == "event" ? event : state}}`,
      subject: '{{trigger_name == "" ? kind : trigger_name}}',
      datacontenttype: 'application/json',
      data: {
        ...{ title: '{{title}}', text: first('text', 10000), state: '{{state}}', severity: '{{severity}}' },
        ...{ episode: '{{episode}}', sensor_id: '{{sensor_id}}', sensor: '{{sensor_name}}' },
        ...{ trigger_id: '{{trigger_id}}', trigger: '{{trigger_name}}', unit: '{{unit}}', event: '{{event}}' },
        ...{ subject_id: '{{subject_id}}', source_id: '{{source_id}}', ...LINKS, value: '{{sensor_data_value}}' },
      },
    },
  }),
};
