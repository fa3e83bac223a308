import { createCoreTables } from './2026-11-21-0600-create-core-tables';
import { widenAudiencesOfEvents } from './2026-11-21-0700-widen-audiences-of-events';
import { createGroups } from './2026-11-21-0800-create-groups';
import { createMetatags } from './2026-11-21-0810-create-metatags';
import { createDevices } from './2026-11-21-0820-create-devices';
import { createConnectedSensors } from './2026-11-21-0825-create-connected-sensors';
import { createEnvironments } from './2026-11-21-0830-create-environments';
import { createServices } from './2026-11-21-0840-create-services';
import { createServiceExamples } from './2026-11-21-0850-create-service-examples';
import { keepReplacedSigningSecrets } from './2026-11-21-0860-keep-replaced-signing-secrets';
import { switchNotificationsOff } from './2026-11-21-0861-switch-notifications-off';
import { limitAttemptsPerReceiver } from './2026-11-21-0862-limit-attempts-per-receiver';
import { keepWhenAttemptsWentOut } from './2026-11-21-0863-keep-when-attempts-went-out';
import { countFailuresOfReceivers } from './2026-11-21-0864-count-failures-of-receivers';
import { nameClaims } from './2026-11-21-0865-name-claims';
import { createLearnings } from './2026-11-21-0870-create-learnings';
import { indexValuesOfMetatags } from './2026-11-21-0870-index-values-of-metatags';
import { countFailuresOfLearnings } from './2026-11-21-0880-count-failures-of-learnings';
import { widenTexts } from './2026-11-21-0890-widen-texts';
import { findFiringsByOwner } from './2026-11-21-0900-find-firings-by-owner';
import { shareInboxByOwner } from './2026-11-22-0100-share-inbox-by-owner';
import { dispatchEventsInPortions } from './2026-11-22-0200-dispatch-events-in-portions';
import { renameToStandardTerms } from './2026-11-23-0100-rename-to-standard-terms';
import { deleteInSteps } from './2026-11-23-0200-delete-in-steps';
import { keepWhenSessionsWereUsed } from './2026-11-23-0300-keep-when-sessions-were-used';
import { refuseShares } from './2026-11-24-0200-refuse-shares';
import { chargeEventsToActors } from './2026-11-24-0300-charge-events-to-actors';

import { keepAgreedDetails } from './2026-11-25-0200-keep-agreed-details';
import { keepRightsOfFormerMembers } from './2026-11-25-0210-keep-rights-of-former-members';
import { askRecipientsOfMails } from './2026-11-25-0300-ask-recipients-of-mails';
import { fixSensorsWhenUsersAsk } from './2026-11-25-0310-fix-sensors-when-users-ask';

import { packTheInbox } from './2026-11-26-0100-pack-the-inbox';
import { moveWhatWaits } from './2026-11-26-0110-move-what-waits';
import { dropTheOldInbox } from './2026-11-26-0200-drop-the-old-inbox';

import { slimDataPoints } from './2026-11-26-0300-slim-data-points';

import { createKeys } from './2026-11-27-0100-create-keys';
import { createApplications } from './2026-11-27-0200-create-applications';
import { createOAuth2Grants } from './2026-11-27-0300-create-oauth2-grants';
import { findDueInactivitiesBySlot } from './2026-11-27-0400-find-due-inactivities-by-slot';
import { storeTheNumberOfPartitions } from './2026-11-27-0410-store-the-number-of-partitions';
import { noteChangesOfSensorLists } from './2026-11-27-0420-note-changes-of-sensor-lists';
import { renameTurnsOfPartitions } from './2026-11-27-0500-rename-turns-of-partitions';
import { countChangesOfPartitions } from './2026-11-27-0510-count-changes-of-partitions';
import { keepEpisodes } from './2026-11-28-0100-keep-episodes';
import { createMutes } from './2026-11-28-0200-create-mutes';
import { keepWhatGoesOut } from './2026-11-28-0210-keep-what-goes-out';
import { pauseReceivers } from './2026-11-28-0400-pause-receivers';
import { keepPointsPerSensor } from './2026-11-28-0500-keep-points-per-sensor';
import { createStreamLog } from './2026-11-28-0600-create-stream-log';
import { countWatchesOfPartitions } from './2026-11-29-0200-count-watches-of-partitions';
import { countTurnsOfServices } from './2026-11-29-0201-count-turns-of-services';
import { findDeliveriesByDate } from './2026-11-29-0400-find-deliveries-by-date';
import { createStateJournal } from './2026-11-30-0001-create-state-journal';
import { compressPointsWithLessEffort } from './2026-11-30-0002-compress-points-with-less-effort';
import { refuseMailsToMailboxes } from './2026-11-30-0580-refuse-mails-to-mailboxes';
import { hideNamesOfBlockedUsers } from './2026-11-30-0581-hide-names-of-blocked-users';
import { compareLooksOfUsernames } from './2026-11-30-0582-compare-looks-of-usernames';
import { createServerDates } from './2026-12-01-0001-create-server-dates';
import type { Migration } from './migration';

/** Every migration, oldest first. */
export const migrations: readonly Migration[] = [
  createCoreTables,
  widenAudiencesOfEvents,
  createGroups,
  createMetatags,
  createDevices,
  createConnectedSensors,
  createEnvironments,
  createServices,
  createServiceExamples,
  keepReplacedSigningSecrets,
  switchNotificationsOff,
  limitAttemptsPerReceiver,
  keepWhenAttemptsWentOut,
  countFailuresOfReceivers,
  nameClaims,
  indexValuesOfMetatags,
  createLearnings,
  countFailuresOfLearnings,
  widenTexts,
  findFiringsByOwner,
  shareInboxByOwner,
  dispatchEventsInPortions,
  renameToStandardTerms,
  deleteInSteps,
  keepWhenSessionsWereUsed,
  refuseShares,
  chargeEventsToActors,
  keepAgreedDetails,
  keepRightsOfFormerMembers,
  askRecipientsOfMails,
  fixSensorsWhenUsersAsk,
  packTheInbox,
  moveWhatWaits,
  dropTheOldInbox,
  slimDataPoints,
  createKeys,
  createApplications,
  createOAuth2Grants,
  findDueInactivitiesBySlot,
  storeTheNumberOfPartitions,
  noteChangesOfSensorLists,
  renameTurnsOfPartitions,
  countChangesOfPartitions,
  keepEpisodes,
  createMutes,
  keepWhatGoesOut,
  pauseReceivers,
  keepPointsPerSensor,
  createStreamLog,
  countWatchesOfPartitions,
  countTurnsOfServices,
  findDeliveriesByDate,
  createStateJournal,
  compressPointsWithLessEffort,
  refuseMailsToMailboxes,
  hideNamesOfBlockedUsers,
  compareLooksOfUsernames,
  createServerDates,
];
