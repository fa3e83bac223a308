import type { WorkOwners } from '../fairness/quarantine/work-kind';

/** Whose selectors are set aside: their id is that of the trigger. */
export const workOwners: WorkOwners = {
  selector: 'SELECT owner_id AS ownerId FROM triggers WHERE id = ?',
};
