import type { ModelEdit } from './rule-edit';

/** One transaction of bounded size for a closed account. Returns true if there may be more. */
export type RemovalStep = (userId: number, edit: ModelEdit) => Promise<boolean>;
