import type { WorkOwners } from '../fairness/quarantine/work-kind';

export const workOwners: WorkOwners = {
  source: 'SELECT owner_id AS ownerId FROM mqtt_sources WHERE id = ?',
};
