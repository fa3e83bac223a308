import type { ControllerFactory } from '../edge/controller-factory';
import { AuditController } from './records/audit.controller';
import type { AuditLog } from './records/audit-log';

export function auditControllers({ auditLog }: { auditLog: AuditLog }): ControllerFactory[] {
  return [[AuditController, () => new AuditController(auditLog)]];
}
