import type { ModelEdit } from './rule-edit';

/** A transaction of bounded size. True if there may be more. */
export type RemovalStep = (userId: number, edit: ModelEdit) => Promise<boolean>;
