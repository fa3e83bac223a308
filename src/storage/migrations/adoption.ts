import { createBaseline } from './baseline';
import { FORMER_MIGRATIONS, FORMER_RELEASE } from './baseline/former-release';
import type { MigrationRecord } from './record';

/**
 * Records the baseline as applied if the database has all migrations of the former release, and refuses a database that
 * has only some. The former records stay, because processes of the former release look for them.
 */
export async function adoptFormerDatabase(record: MigrationRecord): Promise<void> {
  const applied = new Set(await record.executed());
  const former = FORMER_MIGRATIONS.filter((name) => applied.has(name));
  if (former.length === 0 || applied.has(createBaseline.name)) return;
  if (former.length === FORMER_MIGRATIONS.length) return record.logMigration(createBaseline);
  throw new Error(
    `the database is older than the release of commit ${FORMER_RELEASE}: it has ${former.length} of its ` +
      `${FORMER_MIGRATIONS.length} migrations. Migrate the database with that release first, then with this one ` +
      '(docs/operate/upgrade.md)',
  );
}
