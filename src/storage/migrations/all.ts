import { refuseMailsToMailboxes } from './2026-11-25-1450-refuse-mails-to-mailboxes';
import { hideNamesOfBlockedUsers } from './2026-11-25-1457-hide-names-of-blocked-users';
import { compareLooksOfUsernames } from './2026-11-25-1502-compare-looks-of-usernames';
import { createServerDates } from './2026-11-25-1513-create-server-dates';
import { addConditionDueTimes } from './2026-11-26-1100-add-condition-due-times';
import { addTimezoneAndSeverity } from './2026-11-26-1101-add-timezone-and-severity';
import { followSelectors } from './2026-11-26-1103-follow-selectors';
import { letNotificationsWait } from './2026-11-26-1104-let-notifications-wait';
import { postponeEndsOfMutedEpisodes } from './2026-11-26-1104-postpone-ends-of-muted-episodes';
import { deliverAfterMutes } from './2026-11-26-1105-deliver-after-mutes';
import { letNotificationsOfTriggersWait } from './2026-11-26-1106-let-notifications-of-triggers-wait';
import { shapeWebhooks } from './2026-11-26-1107-shape-webhooks';
import { deliverAcknowledgements } from './2026-11-26-1108-deliver-acknowledgements';
import { pushToBrowsers } from './2026-11-26-1110-push-to-browsers';
import { keepExchangesAndProbe } from './2026-11-26-1120-keep-exchanges-and-probe';
import { addTimezoneOfUsers } from './2026-11-26-1130-add-timezone-of-users';
import { nameSeries } from './2026-11-26-1200-name-series';
import { giveSensorsUnits } from './2026-11-26-1201-give-sensors-units';
import { connectToBrokers } from './2026-11-26-1210-connect-to-brokers';
import { writeNotes } from './2026-11-26-1230-write-notes';
import { makeDashboards } from './2026-11-26-1240-make-dashboards';
import { drawFloorPlans } from './2026-11-26-1250-draw-floor-plans';
import { disableAccounts } from './2026-11-26-1260-disable-accounts';
import { sampleMinutes } from './2026-11-26-1261-sample-minutes';
import { packOldPoints } from './2026-11-27-1000-pack-old-points';
import { recordHolds } from './2026-11-27-1010-record-holds';
import { compressChunks } from './2026-11-27-1100-compress-chunks';
import { quarantineWork } from './2026-11-28-1000-quarantine-work';
import { describeByRows } from './2026-11-28-1010-describe-by-rows';
import { continueSelectors } from './2026-11-28-1020-continue-selectors';
import { sharePurge } from './2026-11-28-1021-share-purge';
import { sayWhatWaits } from './2026-11-28-1110-say-what-waits';
import { keepExactTimes } from './2026-11-28-1120-keep-exact-times';
import { accountForMessages } from './2026-11-28-1130-account-for-messages';
import { expectIntervals } from './2026-11-28-1140-expect-intervals';
import { reportLatePoints } from './2026-11-28-1150-report-late-points';
import { keepDeletedNotifications } from './2026-11-28-1170-keep-deleted-notifications';
import { recordUnreportedPoints } from './2026-11-28-1171-record-unreported-points';
import { ownThrottledDeliveries } from './2026-11-29-1210-own-throttled-deliveries';
import { createBaseline } from './baseline';
import type { Migration } from './migration';

/** Every migration, oldest first. */
export const migrations: readonly Migration[] = [
  createBaseline,
  refuseMailsToMailboxes,
  hideNamesOfBlockedUsers,
  compareLooksOfUsernames,
  createServerDates,
  addConditionDueTimes,
  addTimezoneAndSeverity,
  followSelectors,
  letNotificationsWait,
  postponeEndsOfMutedEpisodes,
  deliverAfterMutes,
  letNotificationsOfTriggersWait,
  shapeWebhooks,
  deliverAcknowledgements,
  pushToBrowsers,
  keepExchangesAndProbe,
  addTimezoneOfUsers,
  nameSeries,
  giveSensorsUnits,
  connectToBrokers,
  writeNotes,
  makeDashboards,
  drawFloorPlans,
  disableAccounts,
  sampleMinutes,
  packOldPoints,
  recordHolds,
  compressChunks,
  quarantineWork,
  describeByRows,
  continueSelectors,
  sharePurge,
  sayWhatWaits,
  keepExactTimes,
  expectIntervals,
  accountForMessages,
  reportLatePoints,
  keepDeletedNotifications,
  recordUnreportedPoints,
  ownThrottledDeliveries,
];
