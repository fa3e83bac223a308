import { t } from './language';

/** What a notification shows of where it goes; a delivery has less. */
interface Destination {
  type: string;
  destination: string;
  name?: string;
  preset?: string | null;
  body?: unknown;
}

/** The titles of presets that are more than their name with a capital letter. */
const TITLES: Readonly<Record<string, string>> = {
  ...{ rocketchat: 'Rocket.Chat', teams: 'Microsoft Teams', googlechat: 'Google Chat', ntfy: 'ntfy' },
  ...{ twilio: 'Twilio (SMS)', homeassistant: 'Home Assistant', pagerduty: 'PagerDuty', apprise: 'Apprise API' },
  ...{ jira_service_management: 'Jira Service Management', alertmanager: 'Prometheus Alertmanager' },
  cloudevents: 'CloudEvents',
};

/** What people call a notification: its name, otherwise where it goes. Endpoints of browsers say nothing. */
export function nameOf(one: Destination): string {
  return one.name || placeOf(one);
}

/** Where a notification goes. Secrets are not shown. */
export function placeOf({ type, destination, preset, body }: Destination): string {
  if (type === 'push') return t('a browser, by {host}', { host: new URL(destination).host });
  if (!preset) return destination.replace(/\{\{\s*secrets\.[^}]*\}\}/g, '…');
  const { topic, chat_id, To, tag } = Object(body);
  // The id of a webhook or of a room.
  const [, room, id] = /\/rooms\/([^/]+)|(\w*\d\w*)\/\{\{secrets/.exec(destination) ?? [];
  const detail = topic ?? chat_id ?? To ?? tag ?? id ?? (room && decodeURIComponent(room));
  return [titleOf(preset), new URL(destination).host, detail].filter(Boolean).join(' · ');
}

/** The title of a preset. */
export function titleOf(preset: string): string {
  return TITLES[preset] ?? preset.charAt(0).toUpperCase() + preset.slice(1);
}
