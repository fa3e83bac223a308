import type { WorkOwners } from '../fairness/quarantine/work-kind';

/** Whose training and packing is set aside: their id is that of the sensor. */
export const workOwners: WorkOwners = {
  training: 'SELECT owner_id AS ownerId FROM sensors WHERE id = ?',
  packing: 'SELECT owner_id AS ownerId FROM sensors WHERE id = ?',
};
