import type { Parent } from './changes';

/** A sensor, for what belongs to it. */
export const SENSOR: Parent = { from: 'sensors', key: 'id', owner: 'owner_id', name: 'name' };
