import type { ModelEdit } from './rule-edit';

/** Removes a part of a closed account's data in one transaction of bounded size. Returns true if there may be more. */
export type RemovalStep = (userId: number, edit: ModelEdit) => Promise<boolean>;
