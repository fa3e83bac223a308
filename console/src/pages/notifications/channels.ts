import { api, ask, type Records } from '../../api';
import { type PlainText, t } from '../../language';
import { type Resource, useResource } from '../../use-resource';

type Preset = Records['PresetView'];

/** A way to send notifications: a kind of its own, or a service with a preset. */
export interface Channel {
  /** `email`, `push`, `url`, or the name of a preset. */
  name: string;
  title: string;
  group: Group;
  preset?: Preset;
}

export const GROUPS = [
  'Mail',
  'This browser',
  'Chat',
  'Messages to a phone',
  'Incidents',
  'Other',
] as const satisfies readonly PlainText[];
type Group = (typeof GROUPS)[number];

const PHONE = 'Messages to a phone';
const GROUP_OF: Readonly<Record<string, Group>> = {
  ...{ slack: 'Chat', mattermost: 'Chat', rocketchat: 'Chat', discord: 'Chat', teams: 'Chat', googlechat: 'Chat' },
  ...{ telegram: 'Chat', matrix: 'Chat' },
  ...{ ntfy: PHONE, gotify: PHONE, pushover: PHONE, twilio: PHONE },
  ...{ pagerduty: 'Incidents', jira_service_management: 'Incidents', alertmanager: 'Incidents' },
};

const MAIL: Channel = { name: 'email', title: t('Mail'), group: 'Mail' };
const BROWSER: Channel = { name: 'push', title: t('Alerts in this browser'), group: 'This browser' };
const ANY_URL: Channel = { name: 'url', title: t('Any URL'), group: 'Other' };

/** All channels, by groups; `hasBrowser` if this browser is one. */
export function channelsOf(presets: readonly Preset[], hasBrowser: boolean): Channel[] {
  const services = presets.map(
    (preset): Channel => ({ name: preset.name, title: preset.title, group: groupOf(preset.name), preset }),
  );
  const all = [MAIL, ...(hasBrowser ? [BROWSER] : []), ...services, ANY_URL];
  return GROUPS.flatMap((group) => all.filter((channel) => channel.group === group));
}

/** The channels whose name or group contains the text. */
export function findChannels(channels: readonly Channel[], text: string): Channel[] {
  const wanted = text.trim().toLowerCase();
  return channels.filter(({ title, group }) => `${title} ${t(group)}`.toLowerCase().includes(wanted));
}

/** The channel of a notification, without its fields. */
export function channelOf(
  { type, preset }: { type: string; preset: string | null },
  presets: readonly Preset[],
): Channel {
  if (type === 'email') return MAIL;
  if (type === 'push') return { ...BROWSER, title: t('Browser') };
  const found = presets.find(({ name }) => name === preset);
  return found ? { name: found.name, title: found.title, group: groupOf(found.name) } : ANY_URL;
}

function groupOf(preset: string): Group {
  return GROUP_OF[preset] ?? 'Other';
}

/** The presets of the platform. */
export function usePresets(): Resource<Preset[]> {
  return useResource('presets', async () => (await ask(api.get('/notifications/presets'))).presets);
}
