import { alertmanager } from './alertmanager';
import { apprise } from './apprise';
import { cloudevents } from './cloudevents';
import { discord } from './discord';
import { googlechat } from './googlechat';
import { gotify } from './gotify';
import { homeassistant } from './homeassistant';
import { jiraServiceManagement } from './jira-service-management';
import { matrix } from './matrix';
import { mattermost } from './mattermost';
import { ntfy } from './ntfy';
import { pagerduty } from './pagerduty';
import { pushover } from './pushover';
import { rocketchat } from './rocketchat';
import type { ServiceRules } from './service';
import { slack } from './slack';
import { teams } from './teams';
import { telegram } from './telegram';
import { twilio } from './twilio';

/** The services of all presets. */
export const SERVICES: readonly ServiceRules[] = [
  ...[slack, mattermost, rocketchat, discord, teams, googlechat, telegram, matrix],
  ...[ntfy, gotify, pushover, twilio, homeassistant],
  ...[pagerduty, jiraServiceManagement, alertmanager, apprise, cloudevents],
];
