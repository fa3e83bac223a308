import type { Parent } from './changes';

export const SENSOR: Parent = { from: 'sensors', key: 'id', owner: 'owner_id', name: 'name' };

export const GROUP: Parent = { from: 'user_groups', key: 'id', owner: 'NULL', name: 'name' };
