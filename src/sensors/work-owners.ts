import type { WorkOwners } from '../fairness/quarantine/work-kind';

/** The id of training and packing is the sensor's. */
export const workOwners: WorkOwners = {
  training: 'SELECT owner_id AS ownerId FROM sensors WHERE id = ?',
  packing: 'SELECT owner_id AS ownerId FROM sensors WHERE id = ?',
};
