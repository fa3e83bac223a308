import { JSON_BODY, type Preset, type PresetField, required } from './preset';
import { hideLastPart, hideParameters } from './secret-urls';
import {
  byUrgency,
  COLOUR,
  first,
  firstEscaped,
  firstWithoutMarkdown,
  MESSAGE,
  markdownLinks,
  numberByUrgency,
  slackLinks,
} from './templates';

/** The field for the URL of a webhook, which holds its own secret. */
function webhookUrl(help: string, example: string, pattern: string, expected: string): PresetField {
  const secret = { secret: true, format: 'url' } as const;
  return required({ name: 'webhook_url', title: 'Webhook URL', help, example, pattern, expected, ...secret });
}

/** Characters that Mattermost and Discord read as Markdown, unless a backslash stands before them. */
const MARKS = '\\`*_~#>|[]';
/** Characters that the cards of Teams read as Markdown. */
const CARD_MARKS = '\\*_';
/** Rocket.Chat reads no backslashes. */
const NO_MARKS = '';

/** Lengths are half of what Slack takes, because a character may count as two. */
export const slack: Preset = {
  name: 'slack',
  title: 'Slack',
  documentation: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  fields: [
    webhookUrl(
      'At api.slack.com/apps: your app, Incoming Webhooks, Add New Webhook to Workspace, then Copy.',
      'https://hooks.slack.com/services/T0123456789/B0123456789/aBcDeFgHiJkLmNoPqRsTuVwX',
      '.+/services/[^/?#]+/[^/?#]+/[^/?#]+',
      'the whole URL, which ends in /services/<team>/<app>/<token>',
    ),
  ],
  fill: ({ webhook_url = '' }, words) => {
    const { url, secrets } = hideLastPart(webhook_url);
    const blocks = [
      { type: 'section', text: { type: 'plain_text', text: first(MESSAGE, 1500), emoji: false } },
      { type: 'context', elements: [{ type: 'mrkdwn', text: slackLinks(words) }] },
    ];
    return {
      ...{ destination: url, method: 'POST', headers: {}, secrets, contentType: JSON_BODY },
      body: { text: firstEscaped('title', 150), attachments: [{ color: byUrgency(COLOUR), blocks }] },
    };
  },
};

/**
 * Mattermost looks for mentions in the message and in the `text`, `pretext` and values of attachments. So what users
 * and devices write is in `author_name` and `title`.
 */
export const mattermost: Preset = {
  name: 'mattermost',
  title: 'Mattermost',
  documentation: 'https://developers.mattermost.com/integrate/webhooks/incoming/',
  fields: [
    webhookUrl(
      'In Mattermost: the menu at the top left, Integrations, Incoming Webhooks, Add Incoming Webhook.',
      'https://mattermost.example.org/hooks/example0hook0of0mattermost',
      '.+/hooks/[A-Za-z0-9]+',
      'the whole URL, which ends in /hooks/<id>',
    ),
  ],
  fill: ({ webhook_url = '' }, words) => {
    const { url, secrets } = hideLastPart(webhook_url);
    const attachment = {
      ...{ fallback: first('title', 200), color: byUrgency(COLOUR), author_name: first('title', 200) },
      ...{ title: firstWithoutMarkdown(MESSAGE, 4000, MARKS), text: markdownLinks(words) },
    };
    return {
      ...{ destination: url, method: 'POST', headers: {}, secrets, contentType: JSON_BODY },
      body: { attachments: [attachment] },
    };
  },
};

/** Rocket.Chat looks for mentions in the text of a message only. So what users and devices write is an attachment. */
export const rocketchat: Preset = {
  name: 'rocketchat',
  title: 'Rocket.Chat',
  documentation: 'https://docs.rocket.chat/docs/integrations',
  fields: [
    webhookUrl(
      'In Rocket.Chat: Administration, Workspace, Integrations, New, Incoming; enable it, then copy the webhook URL.',
      'https://rocketchat.example.org/hooks/66f0a1b2c3d4e5f6a7b8c9d0/aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789aBcDeFgHiJkL',
      '.+/hooks/[^/?#]+/[^/?#]+',
      'the whole URL, which ends in /hooks/<id>/<token>',
    ),
  ],
  fill: ({ webhook_url = '' }, words) => {
    const { url, secrets } = hideLastPart(webhook_url);
    const attachment = {
      color: byUrgency(COLOUR),
      title: firstWithoutMarkdown('title', 200, NO_MARKS),
      text: `${firstWithoutMarkdown(MESSAGE, 4000, NO_MARKS)}\n\n${markdownLinks(words)}`,
    };
    return {
      ...{ destination: url, method: 'POST', headers: {}, secrets, contentType: JSON_BODY },
      body: { attachments: [attachment] },
    };
  },
};

export const discord: Preset = {
  name: 'discord',
  title: 'Discord',
  documentation: 'https://discord.com/developers/docs/resources/webhook#execute-webhook',
  fields: [
    webhookUrl(
      'In Discord: the settings of the channel, Integrations, Webhooks, New Webhook, Copy Webhook URL.',
      'https://discord.com/api/webhooks/1310203040506070809/aBcDeFgHiJkLmNoPqRsTuVwXyZ-0123456789_aBcDeFgHiJkLmNoPqRsTuVwXyZ01234',
      '.+/webhooks/[0-9]+/[A-Za-z0-9_-]+(?:\\?[^#]*)?',
      'the whole URL, which ends in /webhooks/<id>/<token>',
    ),
  ],
  fill: ({ webhook_url = '' }, words) => {
    const { url, secrets } = hideLastPart(webhook_url);
    const color = { resolved: '3046706', critical: '12986408', warning: '15690752', other: '1402304' };
    const embed = {
      title: firstWithoutMarkdown('title', 120, MARKS),
      description: `${firstWithoutMarkdown(MESSAGE, 1700, MARKS)}\n\n${markdownLinks(words)}`,
      color: numberByUrgency(color),
    };
    return {
      ...{ destination: url, method: 'POST', headers: {}, secrets, contentType: JSON_BODY },
      body: { embeds: [embed], allowed_mentions: { parse: [] } },
    };
  },
};

/** A mention in Teams needs an entity of the card, so none can come from a text. */
export const teams: Preset = {
  name: 'teams',
  title: 'Microsoft Teams',
  documentation:
    'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
  fields: [
    webhookUrl(
      'In Teams: the menu of the channel, Workflows, the template "Send webhook alerts to a channel"; copy the URL at its end.',
      'https://prod-00.westeurope.logic.azure.com:443/workflows/0123456789abcdef0123456789abcdef/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789aBcDeFg',
      '.+[?&]sig=[^&#]+.*',
      'the whole URL, which holds sig=<signature>',
    ),
  ],
  fill: ({ webhook_url = '' }, words) => {
    const { url, secrets } = hideParameters(webhook_url, ['sig']);
    const color = byUrgency({ resolved: '"good"', critical: '"attention"', warning: '"warning"', other: '"accent"' });
    const block = (text: string, more = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });
    const content = {
      ...{ $schema: 'http://adaptivecards.io/schemas/adaptive-card.json', type: 'AdaptiveCard', version: '1.4' },
      msteams: { width: 'Full' },
      body: [
        block(firstWithoutMarkdown('title', 200, CARD_MARKS), { weight: 'bolder', size: 'medium', color }),
        block(firstWithoutMarkdown(MESSAGE, 3500, CARD_MARKS)),
        block(markdownLinks(words), { isSubtle: true }),
      ],
    };
    const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
    return {
      ...{ destination: url, method: 'POST', headers: {}, secrets, contentType: JSON_BODY },
      body: { type: 'message', attachments: [attachment] },
    };
  },
};
