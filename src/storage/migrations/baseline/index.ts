import type { Migration } from '../migration';
import { accountTables } from './accounts';
import { deliveryTables } from './deliveries';
import { evaluationTables } from './evaluation';
import { gatewayTables } from './gateways';
import { groupTables } from './groups';
import { maintenanceTables } from './maintenance';
import { oauthTables } from './oauth';
import { pointTables } from './points';
import { sensorTables } from './sensors';
import { serviceTables } from './services';
import { streamTables } from './streams';

/** The tables by name, each after those that it references. */
const TABLES = {
  ...accountTables,
  ...sensorTables,
  ...pointTables,
  ...gatewayTables,
  ...groupTables,
  ...evaluationTables,
  ...serviceTables,
  ...deliveryTables,
  ...oauthTables,
  ...streamTables,
  ...maintenanceTables,
};

/** The schema of version 0.1.0, with which the migrations begin (decision 73). */
export const createBaseline: Migration = {
  name: '2026-11-29-1300-create-baseline',
  up: async (schema) => {
    for (const [table, definition] of Object.entries(TABLES)) await schema.createTable(table, definition);
    // A higher level takes more processor time and saves no block of the disk (decision 48).
    await schema.compressPages('data_points', 1);
    // Pages of chunks are a fifth to a third empty, and compressed pages store nothing for that (decision 92).
    await schema.compressPages('data_chunks', 1);
    await schema.changeRows('INSERT IGNORE INTO stream_head (id, epoch) VALUES (1, LEFT(SHA2(UUID(), 256), 8))');
  },
  down: async (schema) => {
    for (const table of Object.keys(TABLES).reverse()) await schema.dropTable(table);
  },
};
