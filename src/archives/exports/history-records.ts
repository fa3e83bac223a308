import { findFirings, toFiringView } from '../../alerts';
import { toAuditRecordView } from '../../audit';
import type { Database } from '../../storage';
import type { ArchivedServices } from '../archived-services';
import { lineSection } from './section';

const AT_ONCE = 500;

/** The firings of the owner's triggers, as the API shows them. Records to read: an import does not write them. */
export function alertSection({ reads }: Database) {
  return lineSection('alerts.ndjson', async ({ ownerId, createdMs }, cursor) => {
    const [startMs = 0, offset = 0] = cursor ?? [];
    const page = { offset, limit: AT_ONCE, withTotal: false };
    const reading = { page, sort: 'ASC', whose: 'own', nowMs: createdMs } as const;
    const { items } = await findFirings(reads, ownerId, { startMs, endMs: createdMs }, reading);
    const records = items.map((item) => toFiringView(item, { isOwn: true }));
    const lastMs = items.at(-1)?.firing.firedMs;
    if (lastMs === undefined || items.length < AT_ONCE) return { records, next: undefined };
    // The next page begins with the date of the last one, without those of this date that were read.
    const same = items.filter(({ firing }) => firing.firedMs === lastMs).length;
    return { records, next: [lastMs, lastMs === startMs ? offset + same : same] };
  });
}

const ALL = {
  ...{ groupId: undefined, startMs: undefined, endMs: undefined, action: undefined, who: undefined },
  ...{ subjectKind: undefined, subjectId: undefined, refused: undefined },
};

/** The history of the account, as the API shows it. Records to read: an import does not write them. */
export function auditSection(auditLog: ArchivedServices['auditLog']) {
  return lineSection('audit.ndjson', async ({ ownerId }, cursor) => {
    const [offset = 0] = cursor ?? [];
    const reader = { userId: ownerId, username: '', credential: { kind: 'session', id: 0 } } as const;
    const { items } = await auditLog.list(reader, ALL, { offset, limit: AT_ONCE, withTotal: false }, 'ASC');
    return {
      records: items.map(toAuditRecordView),
      next: items.length < AT_ONCE ? undefined : [offset + items.length],
    };
  });
}
