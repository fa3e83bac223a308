import type { WorkOwners } from '../fairness/quarantine/work-kind';

/** The id is that of the trigger whose selector is set aside. */
export const workOwners: WorkOwners = {
  selector: 'SELECT owner_id AS ownerId FROM triggers WHERE id = ?',
};
