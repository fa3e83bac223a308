export type { DeliveryNudge } from '../../jobs/delivery.job';
export { buildDeliveries, type Deliveries } from './build-deliveries';
export { buildNotifications } from './build-notifications';
export { type ArrivedDelivery, readArrived } from './deliveries/arrived-deliveries';
export type { DeliveryView } from './deliveries/delivery.view';
export type { DeliveryDescription, OperatorDeliveriesService } from './deliveries/operator-deliveries.service';
export type { Probes } from './deliveries/probes';
export type { RedeliveriesService } from './deliveries/redeliveries.service';
export { type AcknowledgedEpisode, insertAcknowledgedDeliveries } from './delivery/acknowledged-deliveries';
export { headingOf } from './delivery/alert';
export { readFiringAlert } from './delivery/alerts';
export type { Delivery } from './delivery/build-delivery';
export { type ChannelType, closeChannels, receiverOf } from './delivery/channels';
export { deleteKept } from './delivery/deleted-notifications';
export { removeDeliveriesOf, removeDeliveriesOfFirings, removeOldDeliveries } from './delivery/delivery-removal';
export {
  type ConnectedNotification,
  countConnectedNotifications,
  insertDeliveries,
  issueDeliveries,
  type NewDelivery,
  readConnectedNotifications,
  readNudges,
  readNudgesOfFirings,
  wasDelivered,
} from './delivery/delivery-rows';
export type { DeliveryRunner } from './delivery/delivery-runner';
export { isDigested } from './delivery/digest';
export { findDueDeliveries } from './delivery/due-deliveries';
export {
  cancelEscalations,
  cancelEscalationsOfTrigger,
  cancelHeldRepeats,
  cancelWaiting,
  HAS_WAITING,
  IS_DEFERRED,
  readNextWaiting,
  readWaitingFirings,
} from './delivery/escalations';
export { type FiringVariables, firingVariables, seconds, variablesBefore } from './delivery/firing-variables';
export {
  type DependentEpisode,
  type Holders,
  noticedMs,
  recheckHeld,
  releaseHeld,
} from './delivery/held-deliveries';
export { DEGRADED_AFTER } from './delivery/leases';
export type { AccountMails, FactorChange, OtherAccess, ResetLink } from './delivery/mail/account-mails';
export { findRecipientById } from './delivery/mail/mail-recipients';
export { recheckMuted } from './delivery/muted-deliveries';
export { PacedTexts } from './delivery/paced-texts';
export { PausedReceivers, type ReceiverStatus } from './delivery/paused-receivers';
export {
  type EndedEpisode,
  endText,
  insertResolvedDeliveries,
  type ResolvedEpisode,
} from './delivery/resolved-deliveries';
export { isOwedAnEnd, readSentFirings, sentKey } from './delivery/sent-firings';
export { STANDSTILL_CONSEQUENCE } from './delivery/standstill';
export { OVERDUE_MS } from './delivery/waiting';
export { readAllWaiting, type WaitingNotification } from './delivery/waiting-deliveries';
export { insertReport, type WrittenMail } from './delivery/written-mails';
export { removeOldEvents } from './dispatch/waiting-events';
export { invariants } from './invariants';
export { whyNoAuthority } from './notifications/ca-certificate';
export {
  emptyFieldWarning,
  findEmptyFieldAmong,
  type KnownValue,
  MAX_CONNECTED_SENSORS,
  readKnownValues,
} from './notifications/empty-fields';
export {
  findNotifications,
  findOwnNotifications,
  hasNotifications,
  ownNotificationsSql,
  personOfMails,
} from './notifications/find-notifications';
export type { Destination, MailConsents } from './notifications/mail-consents';
export { type NotificationView, toNotificationSettings, toNotificationView } from './notifications/notification.view';
export { labelOf } from './notifications/notification-label';
export { deleteNotifications } from './notifications/notification-removal';
export { type NotificationChanges, readNotification } from './notifications/notifications.request';
export type { AboutNotifications, NotificationsService } from './notifications/notifications.service';
export {
  type AcknowledgeToken,
  isAcknowledgementOf,
  isOfNotification,
  readAcknowledgeToken,
  readNotificationToken,
} from './notifications/recipient-token';
export { openSecrets } from './notifications/sealed-values';
export { HIDDEN } from './requests/webhook-request';
export { workOwners } from './work-owners';
