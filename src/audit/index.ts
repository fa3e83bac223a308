export { oldAuditTasks, removeHistory } from './chain/old-records';
export type { KeptHead } from './chain/verification';
export { verifyChains } from './chain/verify-chains';
export {
  type Act,
  actAs,
  actAsClosedAccount,
  actAsOperator,
  actorOf,
  currentAct,
  nameActor,
  nameRuleSet,
  unrecorded,
} from './recording/act';
export { type AuditedModel, auditModels } from './recording/audited-models';
export type { Change, Parent } from './recording/changes';
export { noteChange, noteModelChange } from './recording/note-change';
export { GROUP, SENSOR } from './recording/parents';
export { RefusedAttempts } from './recording/refused-attempts';
export { SECRET } from './recording/shown-values';
export { type AuditRecordView, toAuditRecordView } from './records/audit.view';
export { AuditLog } from './records/audit-log';
