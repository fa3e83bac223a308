import type { MetatagFilter } from '../../access/metatag-filter';
import type { Metatags } from '../../access/metatags';
import type { PresentFilter } from '../../edge/present-filter';

interface NamedUser {
  id?: string;
  username?: string;
}

/** The trigger has exactly `notificationIds` afterwards, if given. */
export type BulkAction =
  | { kind: 'connect_trigger'; triggerId: number; notificationIds: readonly number[] | undefined }
  | { kind: 'disconnect_trigger'; triggerId: number }
  | { kind: 'share'; reference: NamedUser }
  | { kind: 'unshare'; readerId: number }
  | { kind: 'add_to_group'; groupId: number }
  | { kind: 'add_to_environment'; environmentId: number }
  | { kind: 'set_metatags'; namespace: string; metatags: Metatags }
  | { kind: 'mute'; name: string; endMs: number }
  | { kind: 'delete' };

/** The sensors of a request. */
export type BulkSelection =
  | { ids: readonly string[] }
  | { filter: MetatagFilter; namespace: string; present: PresentFilter };
