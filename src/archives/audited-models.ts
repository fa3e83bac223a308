import type { AuditedModel } from '../audit';
import { Archive } from '../storage/models/archive.model';

export const auditedModels: readonly AuditedModel[] = [
  {
    ...{ model: Archive, kind: 'archive', owner: 'ownerId' },
    shown: ['kind', 'state'],
    secret: ['options'],
    quiet: [...['active', 'progress', 'step', 'error', 'entry', 'failures', 'tryAgainMs'], ...['createdMs', 'endsMs']],
  },
];
