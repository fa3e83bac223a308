export { buildAlerts, buildEpisodes } from './build-alerts';
export { DecisionLog } from './evaluation/decision-log';
export { readServiceInputs } from './evaluation/service-inputs';
export { type AlertCounts, countAlerts } from './firings/alert-counts';
export type { DeliveredEnds } from './firings/delivered-ends';
export { endSome } from './firings/end-most';
export { type FiringView, toFiringView } from './firings/firing.view';
export { findFirings } from './firings/firing-list';
export { removeFirings, removeFiringsOf, removeOldFirings } from './firings/firing-removal';
export type { LinkedAlert } from './firings/link-acknowledgements';
export { type OpenAlert, readOpenAlerts } from './firings/open-alerts';
export { RecordedHolders } from './firings/recorded-holders';
export { StreamedFirings } from './firings/streamed-firings';
export type { FleetFolder } from './fleets/fleet-folder';
export { findWrongFleets } from './fleets/fleet-recount';
export { guardedModels } from './guarded-models';
export { invariants } from './invariants';
export type { MutesService } from './mutes/mutes.service';
export type { NoiseRowView } from './noise/noise.view';
export type { ArchivedRules, NotificationSecrets } from './rule-sets/archived-rules';
export { readNotificationSecrets } from './rule-sets/archived-secrets';
export { conditionsOf, parseSelector, readSelector, type Selector } from './rules/selector';
export type { ShadowsService } from './shadows/shadows.service';
export { ownerWatches } from './trigger-store/disabled-owner';
export { earliestInactivity } from './trigger-store/inactivity-watch';
export { findForgottenShadow, removeShadowFirings } from './trigger-store/shadow-states';
export { findConnectionWarning } from './triggers/field-warnings';
export type { LateReports } from './triggers/late-reports';
export { presentConditions } from './triggers/present-conditions';
export { findSensorStates, type SensorState, type StateNow } from './triggers/present-states';
export { findSelected, selectAmong } from './triggers/selected-sensors';
export type { SelectorFollower } from './triggers/selector-follower';
export { TOO_SLOW } from './triggers/selector-rounds';
export { MAX_SELECTED, type SelectorsService } from './triggers/selectors.service';
export type { SensorTriggersService } from './triggers/sensor-triggers.service';
export { readThresholds, type Threshold } from './triggers/thresholds';
export { type SelectorView, toSelectorView } from './triggers/trigger.view';
export type { TriggerNotificationsService } from './triggers/trigger-notifications.service';
export {
  deleteTriggers,
  forgetDecisions,
  hasTriggers,
  keepConnectedDecisions,
  type StoredDecisions,
} from './triggers/trigger-removal';
export { hasWindows, triggerWindows } from './triggers/trigger-windows';
export type { SelectorInput } from './triggers/triggers.request';
export type { TriggersService } from './triggers/triggers.service';
export { readValueLimits, type ValueLimit } from './triggers/value-limits';
export { workOwners } from './work-owners';
