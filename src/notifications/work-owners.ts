import type { WorkOwners } from '../fairness/quarantine/work-kind';

/** Whose deliveries and events are set aside. */
export const workOwners: WorkOwners = {
  delivery: 'SELECT owner_id AS ownerId FROM deliveries WHERE id = ?',
  event: 'SELECT user_id AS ownerId FROM events WHERE id = ?',
};
