import type { Migration } from '../migration';
import { accountTables } from './accounts';
import { deliveryTables } from './deliveries';
import { evaluationTables } from './evaluation';
import { groupTables } from './groups';
import { maintenanceTables } from './maintenance';
import { oauthTables } from './oauth';
import { sensorTables } from './sensors';
import { serviceTables } from './services';
import { streamTables } from './streams';

/** The tables by name, each after those that it references. */
const TABLES = {
  ...accountTables,
  ...sensorTables,
  ...groupTables,
  ...evaluationTables,
  ...serviceTables,
  ...deliveryTables,
  ...oauthTables,
  ...streamTables,
  ...maintenanceTables,
};

/** The schema with which the migrations begin (decision 73). */
export const createBaseline: Migration = {
  name: '2026-11-25-1046-create-baseline',
  up: async (schema) => {
    for (const [table, definition] of Object.entries(TABLES)) await schema.createTable(table, definition);
    // A higher level takes more processor time and saves no block of the disk (decision 48).
    await schema.compressPages('data_points', 1);
    await schema.changeRows('INSERT IGNORE INTO stream_head (id, epoch) VALUES (1, LEFT(SHA2(UUID(), 256), 8))');
  },
  down: async (schema) => {
    for (const table of Object.keys(TABLES).reverse()) await schema.dropTable(table);
  },
};
