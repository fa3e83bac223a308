import {
  base,
  bearer,
  FORM_BODY,
  JSON_BODY,
  optional,
  ownServer,
  type Preset,
  part,
  required,
  serverOf,
} from './preset';
import { byUrgency, first, MESSAGE, numberByUrgency, plainLink } from './templates';

/** 1,000 characters have at most 4,000 bytes; ntfy makes an attachment of a message with more than 4,096. */
export const ntfy: Preset = {
  name: 'ntfy',
  title: 'ntfy',
  documentation: 'https://docs.ntfy.sh/publish/#publish-as-json',
  fields: [
    required({
      name: 'topic',
      title: 'Topic',
      help: 'The topic that your phone is subscribed to. Everybody who knows it can read its messages, so choose a name that nobody guesses.',
      example: 'greenhouse-7fK2pQ9x',
      pattern: '[-_A-Za-z0-9]{1,64}',
      expected: 'the name of a topic: 1 to 64 letters, digits, - and _',
    }),
    optional({
      name: 'token',
      title: 'Access token',
      help: 'For a protected topic. In the web app of ntfy: Account, Access tokens, Create access token.',
      example: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2',
      pattern: '[!-~]{1,200}',
      expected: 'an access token',
      secret: true,
    }),
    serverOf('ntfy', 'https://ntfy.sh'),
  ],
  fill: ({ topic = '', token, server }, words) => {
    const page = `"${base(server)}/${part(topic)}"`;
    const chart = `chart_url == "" ? ${page} : chart_url`;
    return {
      destination: `${base(server)}/`,
      ...{ method: 'POST', headers: bearer(token), secrets: {}, contentType: JSON_BODY },
      body: {
        topic,
        ...{ title: first('title', 200), message: first(MESSAGE, 1000) },
        priority: numberByUrgency({ resolved: '3', critical: '5', warning: '4', other: '2' }),
        tags: [byUrgency(NTFY_TAGS)],
        click: `{{${chart}}}`,
        // A button needs an address: without an alert it opens the page of the topic.
        actions: [
          {
            action: ifLasting('"http"', '"view"'),
            label: ifLasting(`"${words.t('Acknowledge')}"`, `"${words.t('Open')}"`),
            url: ifLasting('acknowledge_url', `(${chart})`),
            ...{ method: 'POST', clear: true },
          },
        ],
      },
    };
  },
};

const NTFY_TAGS = {
  resolved: '"white_check_mark"',
  critical: '"rotating_light"',
  warning: '"warning"',
  other: '"information_source"',
};

/** Gives `lasting` while a firing can be acknowledged. */
function ifLasting(lasting: string, other: string): string {
  return `{{acknowledge_url == "" ? ${other} : ${lasting}}}`;
}

export const gotify: Preset = {
  name: 'gotify',
  title: 'Gotify',
  documentation: 'https://gotify.net/docs/pushmsg',
  fields: [
    ownServer('Gotify', 'https://gotify.example.org'),
    required({
      name: 'token',
      title: 'Token of the application',
      help: 'In Gotify: Apps, Create Application; then show its token.',
      example: 'AkWcGmDyGs5rGXH',
      pattern: '[A-Za-z0-9._-]{1,100}',
      expected: 'the token of an application',
      secret: true,
    }),
  ],
  fill: ({ server, token = '' }, words) => ({
    destination: `${base(server)}/message`,
    ...{ method: 'POST', headers: { 'X-Gotify-Key': token }, secrets: {}, contentType: JSON_BODY },
    body: {
      title: first('title', 200),
      message: `${first(MESSAGE, 4000)}${plainLink(words)}`,
      priority: numberByUrgency({ resolved: '2', critical: '8', warning: '5', other: '2' }),
      extras: { 'client::notification': { click: { url: `{{chart_url == "" ? "${base(server)}" : chart_url}}` } } },
    },
  }),
};

/** Pushover counts characters, of up to four bytes each. */
export const pushover: Preset = {
  name: 'pushover',
  title: 'Pushover',
  documentation: 'https://pushover.net/api',
  fields: [
    required({
      name: 'token',
      title: 'API token of the application',
      help: 'At pushover.net, after login: Create an Application/API Token; then its API Token/Key.',
      example: 'aExampleTokenOfAnApplication01',
      pattern: '[A-Za-z0-9]{30}',
      expected: 'an API token of 30 letters and digits',
      secret: true,
    }),
    required({
      name: 'user',
      title: 'User or group key',
      help: 'At pushover.net, after login: Your User Key; or the key of a group under Your Groups.',
      example: 'uExampleKeyOfAUserOrAGroup0123',
      pattern: '[A-Za-z0-9]{30}',
      expected: 'a user or group key of 30 letters and digits',
      secret: true,
    }),
    serverOf('Pushover', 'https://api.pushover.net'),
  ],
  fill: ({ token = '', user = '', server }, words) => ({
    destination: `${base(server)}/1/messages.json`,
    ...{ method: 'POST', headers: {}, secrets: { token, user }, contentType: FORM_BODY },
    body: {
      ...{ token: '{{secrets.token}}', user: '{{secrets.user}}' },
      ...{ title: first('title', 250), message: first(MESSAGE, 1024) },
      priority: byUrgency({ resolved: '0', critical: '1', warning: '0', other: '-1' }),
      url: '{{acknowledge_url == "" ? chart_url : acknowledge_url}}',
      url_title: ifLasting(`"${words.t('Acknowledge')}"`, `"${words.t('Open the chart')}"`),
    },
  }),
};

/** The id of a webhook starts this automation only. An access token for `notify` would control the whole house. */
export const homeassistant: Preset = {
  name: 'homeassistant',
  title: 'Home Assistant',
  documentation: 'https://www.home-assistant.io/docs/automation/trigger/#webhook-trigger',
  fields: [
    ownServer('Home Assistant', 'https://homeassistant.example.org'),
    required({
      name: 'webhook_id',
      title: 'Webhook ID',
      help: 'In Home Assistant: Settings, Automations & scenes, Create automation, Add trigger, Webhook; copy its Webhook ID, and clear "Only accessible from the local network" if this platform is elsewhere.',
      example: 'alerts-k3Jx9QmZ0sLrT2vY',
      pattern: '[A-Za-z0-9._~-]{1,255}',
      expected: 'the id of a webhook',
      secret: true,
    }),
  ],
  fill: ({ server, webhook_id = '' }) => ({
    destination: `${base(server)}/api/webhook/{{secrets.webhook_id}}`,
    ...{ method: 'POST', headers: {}, secrets: { webhook_id }, contentType: JSON_BODY },
    body: {
      ...{ title: '{{title}}', message: first(MESSAGE, 4000), kind: '{{kind}}', state: '{{state}}' },
      ...{ severity: '{{severity}}', episode: '{{episode}}', sensor: '{{sensor_name}}', trigger: '{{trigger_name}}' },
      ...{ unit: '{{unit}}', event: '{{event}}' },
      ...{ acknowledge_url: '{{acknowledge_url}}', chart_url: '{{chart_url}}', value: '{{sensor_data_value}}' },
    },
  }),
};
