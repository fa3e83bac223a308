import { discord, mattermost, rocketchat, slack, teams } from './chats';
import { googlechat } from './google-chat';
import { alertmanager, apprise, cloudevents, jiraServiceManagement, pagerduty } from './incidents';
import { matrix, telegram, twilio } from './messengers';
import { gotify, homeassistant, ntfy, pushover } from './phones';
import type { Preset } from './preset';

/** A preset only fills fields of a notification: nothing else knows of it. */
export const PRESETS: readonly Preset[] = [
  ...[slack, mattermost, rocketchat, discord, teams, googlechat, telegram, matrix],
  ...[ntfy, gotify, pushover, twilio, homeassistant],
  ...[pagerduty, jiraServiceManagement, alertmanager, apprise, cloudevents],
];
