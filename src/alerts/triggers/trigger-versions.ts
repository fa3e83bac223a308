import type { Attributes, Transaction } from 'sequelize';
import type { Author } from '../../access/author';
import type { Page, PageOf } from '../../edge/paging';
import { NotFound } from '../../platform/errors';
import { findPage } from '../../storage/find-page';
import type { Trigger } from '../../storage/models/trigger.model';
import { TriggerVersion } from '../../storage/models/trigger-version.model';
import type { RunSql } from '../../storage/transaction';
import { DEPENDENCY_COLUMNS, dependencyColumns } from '../rules/dependency';
import { RULE_COLUMNS } from '../rules/trigger-rule';

/** Columns that decide or deliver: a change of one makes a version. */
export const VERSIONED = [
  'name',
  ...RULE_COLUMNS,
  'notifyResolved',
  'resolvedText',
  'severity',
  'late',
  'selector',
  ...DEPENDENCY_COLUMNS,
] as const;

export type TriggerContent = Pick<Attributes<Trigger>, (typeof VERSIONED)[number]>;

/** Older ones are kept as long as a stored firing names them. */
const MAX_VERSIONS = 100;

export interface StoredVersion extends Pick<TriggerVersion, 'version' | 'createdMs' | 'userId' | 'changedBy'> {
  changed: string[];
  content: TriggerContent;
}

/** Counts the version of a trigger that is about to be saved, and returns the changed columns. None make no version. */
export function countVersion(trigger: Trigger): string[] {
  const changed = VERSIONED.filter((column) => trigger.changed(column));
  if (changed.length > 0) trigger.version += 1;
  return changed;
}

/** Records the present version, in the transaction of its change. */
export async function recordVersion(
  trigger: Trigger,
  changed: readonly string[],
  { userId, by, nowMs }: Author & { nowMs: number },
  transaction: Transaction,
): Promise<void> {
  const content = Object.fromEntries(VERSIONED.map((column) => [column, trigger[column]]));
  await TriggerVersion.create(
    {
      triggerId: trigger.id,
      version: trigger.version,
      createdMs: nowMs,
      userId,
      changedBy: by,
      changedColumns: JSON.stringify(changed),
      content: JSON.stringify(content),
    },
    { transaction },
  );
}

export async function forgetOldVersions(run: RunSql, { id, version }: Trigger): Promise<void> {
  if (version <= MAX_VERSIONS) return;
  await run(
    `DELETE FROM trigger_versions WHERE trigger_id = ? AND version <= ? AND NOT EXISTS (
       SELECT 1 FROM firings f WHERE f.trigger_id = trigger_versions.trigger_id AND f.trigger_version = trigger_versions.version)`,
    [id, version - MAX_VERSIONS],
  );
}

/** Newest first. */
export async function findVersions(triggerId: number, page: Page): Promise<PageOf<StoredVersion>> {
  const { items, total } = await findPage(TriggerVersion, { where: { triggerId }, order: [['version', 'DESC']] }, page);
  return { items: items.map(toStoredVersion), total };
}

/** Throws NotFound. */
export async function findVersion(triggerId: number, version: number): Promise<StoredVersion> {
  const found = await TriggerVersion.findOne({ where: { triggerId, version } });
  if (!found) throw new NotFound('the version of the trigger');
  return toStoredVersion(found);
}

function toStoredVersion(row: TriggerVersion): StoredVersion {
  const { version, createdMs, userId, changedBy } = row;
  const content = JSON.parse(row.content);
  // The first versions of older triggers have the numbers of the column, and none of the columns that came later.
  const notifyResolved = Boolean(content.notifyResolved);
  return {
    version,
    createdMs,
    userId,
    changedBy,
    changed: JSON.parse(row.changedColumns),
    content: { ...dependencyColumns(null), ...content, notifyResolved },
  };
}
