import { QueryTypes, type Sequelize } from 'sequelize';
import { type MigrationMeta, Umzug, type UmzugStorage } from 'umzug';
import { createCoreTables } from './2026-11-21-0600-create-core-tables';
import { widenAudiencesOfEvents } from './2026-11-21-0700-widen-audiences-of-events';
import { createGroups } from './2026-11-21-0800-create-groups';
import { createMetatags } from './2026-11-21-0810-create-metatags';
import { createDevices } from './2026-11-21-0820-create-devices';
import { createConnectedSensors } from './2026-11-21-0825-create-connected-sensors';
import { createEnvironments } from './2026-11-21-0830-create-environments';
import { createServices } from './2026-11-21-0840-create-services';
import { createServiceExamples } from './2026-11-21-0850-create-service-examples';
import { keepReplacedSigningSecrets } from './2026-11-21-0860-keep-replaced-signing-secrets';
import { switchNotificationsOff } from './2026-11-21-0861-switch-notifications-off';
import { limitAttemptsPerReceiver } from './2026-11-21-0862-limit-attempts-per-receiver';
import { keepWhenAttemptsWentOut } from './2026-11-21-0863-keep-when-attempts-went-out';
import { countFailuresOfReceivers } from './2026-11-21-0864-count-failures-of-receivers';
import { nameClaims } from './2026-11-21-0865-name-claims';
import { createLearnings } from './2026-11-21-0870-create-learnings';
import { indexValuesOfMetatags } from './2026-11-21-0870-index-values-of-metatags';
import { countFailuresOfLearnings } from './2026-11-21-0880-count-failures-of-learnings';
import { widenTexts } from './2026-11-21-0890-widen-texts';
import { findFiringsByOwner } from './2026-11-21-0900-find-firings-by-owner';
import { shareInboxByOwner } from './2026-11-22-0100-share-inbox-by-owner';
import { dispatchEventsInPortions } from './2026-11-22-0200-dispatch-events-in-portions';
import type { Migration } from './migration';

/** Every migration, oldest first. */
export const migrations: readonly Migration[] = [
  createCoreTables,
  widenAudiencesOfEvents,
  createGroups,
  createMetatags,
  createDevices,
  createConnectedSensors,
  createEnvironments,
  createServices,
  createServiceExamples,
  keepReplacedSigningSecrets,
  switchNotificationsOff,
  limitAttemptsPerReceiver,
  keepWhenAttemptsWentOut,
  countFailuresOfReceivers,
  nameClaims,
  indexValuesOfMetatags,
  createLearnings,
  countFailuresOfLearnings,
  widenTexts,
  findFiringsByOwner,
  shareInboxByOwner,
  dispatchEventsInPortions,
];

const LOCK_SECONDS = 60;

/** Brings the schema up to date. Safe to call from many processes at once: a MySQL lock lets one of them work. */
export async function migrate(sequelize: Sequelize): Promise<void> {
  await sequelize.transaction(async (transaction) => {
    // The transaction only pins the connection that owns the lock; the statements themselves commit on their own.
    const [row] = await sequelize.query<{ locked: number | null }>(
      `SELECT GET_LOCK(CONCAT(DATABASE(), '.migrations'), ${LOCK_SECONDS}) AS locked`,
      { type: QueryTypes.SELECT, transaction },
    );
    if (row?.locked !== 1) throw new Error(`another process has been migrating for ${LOCK_SECONDS} seconds`);
    try {
      await sequelize.query('CREATE TABLE IF NOT EXISTS migrations (name VARCHAR(255) NOT NULL PRIMARY KEY)');
      await migrator(sequelize).up();
    } finally {
      await sequelize.query(`SELECT RELEASE_LOCK(CONCAT(DATABASE(), '.migrations'))`, { transaction });
    }
  });
}

/** The migrator itself, for tests that go down and up again. */
export function migrator(sequelize: Sequelize): Umzug<Sequelize> {
  const run = (sql: string) => sequelize.query(sql);
  return new Umzug({
    migrations: migrations.map(({ name, up, down }) => ({ name, up: () => up(run), down: () => down(run) })),
    context: sequelize,
    storage: new MigrationTable(sequelize),
    logger: undefined,
  });
}

/** Whether every known migration has been applied. It only reads: probes ask several times a minute. */
export async function isMigrated(sequelize: Sequelize): Promise<boolean> {
  const tables = await sequelize.query("SHOW TABLES LIKE 'migrations'", { type: QueryTypes.SELECT });
  return tables.length > 0 && (await migrator(sequelize).pending()).length === 0;
}

class MigrationTable implements UmzugStorage<Sequelize> {
  constructor(private readonly sequelize: Sequelize) {}

  async logMigration({ name }: { name: string } & Partial<MigrationMeta>): Promise<void> {
    await this.sequelize.query('INSERT IGNORE INTO migrations (name) VALUES (?)', { replacements: [name] });
  }

  async unlogMigration({ name }: { name: string } & Partial<MigrationMeta>): Promise<void> {
    await this.sequelize.query('DELETE FROM migrations WHERE name = ?', { replacements: [name] });
  }

  async executed(): Promise<string[]> {
    const rows = await this.sequelize.query<{ name: string }>('SELECT name FROM migrations', {
      type: QueryTypes.SELECT,
    });
    return rows.map((row) => row.name);
  }
}
