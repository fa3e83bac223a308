import type { AuditRecord } from '../chain/record';

/** An id in what a record changed: of which field, and of which kind of thing. */
export interface Reference {
  field: string;
  kind: string;
  id: number;
}

const KINDS: Readonly<Record<string, string>> = {
  application_id: 'application',
  blocked_users: 'user',
  group_id: 'group',
  inputs: 'sensor',
  notifications: 'notification',
  sensor_id: 'sensor',
  sensors: 'sensor',
  used_sensors: 'sensor',
  user_id: 'user',
  users: 'user',
};

const ID = /^[1-9]\d{0,15}$/;

type Content = Pick<AuditRecord, 'changed' | 'subjectKind' | 'subjectId' | 'subjectName'>;

/** The ids in a record, in the order of its fields, behind that of a subject without a name. */
export function referencesOf(record: Content): Reference[] {
  return [...ofSubject(record), ...ofFields(record)];
}

/** What changes a part of a thing may not have read its name. */
function ofSubject({ subjectKind: kind, subjectId: id, subjectName: name }: Content): Reference[] {
  return kind === null || id === null || name !== null ? [] : [{ field: 'subject', kind, id }];
}

function ofFields({ changed, subjectKind }: Content): Reference[] {
  const fields: Record<string, readonly unknown[]> = JSON.parse(changed);
  return Object.entries(fields).flatMap(([field, values]) => {
    // `users/10/see_alerts` is a field of an item of a list.
    const [name = '', item] = field.split('/');
    const kind = name === 'parent_id' ? subjectKind : KINDS[name];
    if (!kind) return [];
    const ids = new Set(item === undefined ? values.flat() : [item]);
    return [...ids].flatMap((id) => (typeof id === 'string' && ID.test(id) ? { field, kind, id: Number(id) } : []));
  });
}
