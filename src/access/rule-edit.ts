import type { Pool } from 'mysql2/promise';
import type { Model, ModelStatic, Sequelize, Transaction } from 'sequelize';
import type { TransactionConnection } from '../storage/pipeline';
import {
  inPoolTransaction,
  inTransaction,
  type RunSql,
  runIn,
  runOn,
  sharedTransaction,
  shareTransaction,
} from '../storage/transaction';

/**
 * A transaction that changes rules or states. The partitions of the named sensors get a new epoch, so that no pass and no
 * upload relies on a stale cache.
 */
export class RuleEdit {
  private readonly affected: AffectedPartitions[] = [];
  private readonly known = new Set<string>();
  private readonly sensorIds = new Set<number>();
  private affectsAllUploads = false;
  private readonly afterwards: (() => Promise<void>)[] = [];

  constructor(readonly run: RunSql) {}

  /** Call before anything of these sensors changes. */
  async affects(selection: SensorSelection): Promise<void> {
    const key = JSON.stringify(selection);
    if (this.known.has(key)) return;
    this.known.add(key);
    this.affected.push(await findPartitions(this.run, selection));
    if ('sensorIds' in selection) for (const id of selection.sensorIds) this.sensorIds.add(id);
  }

  affectsUploads(): void {
    this.affectsAllUploads = true;
  }

  get hasNamed(): boolean {
    return this.known.size > 0;
  }

  /** Runs after the commit, before the edit returns. */
  afterCommit(work: () => Promise<void>): void {
    this.afterwards.push(work);
  }

  async committed(): Promise<void> {
    for (const work of this.afterwards) await work();
  }

  /** Comes last: it waits for the running pass, and makes the next one wait. */
  async finish(): Promise<void> {
    await bumpEpochs(this.run, this.affected, [...this.sensorIds]);
    // Uploads compare all partitions, so one is enough.
    if (this.affectsAllUploads)
      await this.run('UPDATE partitions SET upload_epoch = upload_epoch + 1 WHERE partition_no = 0', []);
  }
}

export class ModelEdit extends RuleEdit {
  constructor(
    sequelize: Sequelize,
    readonly transaction: Transaction,
  ) {
    super(runIn(sequelize, transaction));
  }
}

export class PoolEdit extends RuleEdit {
  constructor(readonly connection: TransactionConnection) {
    super(runOn(connection));
  }
}

const edits = new WeakMap<Transaction, ModelEdit>();

export async function editRules<T>(sequelize: Sequelize, work: (edit: ModelEdit) => Promise<T>): Promise<T> {
  const outer = sharedEdit();
  if (outer) return work(outer);
  const { edit, result } = await inTransaction(sequelize, async (transaction) => {
    const begun = new ModelEdit(sequelize, transaction);
    edits.set(transaction, begun);
    const done = { edit: begun, result: await work(begun) };
    await begun.finish();
    return done;
  });
  await edit.committed();
  return result;
}

/** Edits within `work` become one. */
export function editTogether<T>(sequelize: Sequelize, work: (edit: ModelEdit) => Promise<T>): Promise<T> {
  return editRules(sequelize, (edit) => shareTransaction(edit.transaction, () => work(edit)));
}

/** At once outside of an edit. */
export async function afterCommit(work: () => Promise<void>): Promise<void> {
  const outer = sharedEdit();
  if (outer) outer.afterCommit(work);
  else await work();
}

function sharedEdit(): ModelEdit | undefined {
  const transaction = sharedTransaction();
  return transaction && edits.get(transaction);
}

export async function editRulesOn<T>(pool: Pool, work: (edit: PoolEdit) => Promise<T>): Promise<T> {
  const { edit, result } = await inPoolTransaction(pool, async (connection) => {
    const begun = new PoolEdit(connection);
    const done = { edit: begun, result: await work(begun) };
    await begun.finish();
    return done;
  });
  await edit.committed();
  return result;
}

/** Passes and uploads cache rows of the model. */
export interface GuardedModel {
  model: ModelStatic<Model>;
  fields: readonly string[] | 'all';
  /** A new row has no sensor yet, or no cache holds it. */
  isFreeToCreate?: true;
}

const cachedFields = new Map<ModelStatic<Model>, GuardedModel['fields']>();

/** Changes outside of an edit that has named its sensors fail, so that none forgets the caches of workers. */
export function guardRules(guarded: readonly GuardedModel[]): void {
  for (const { model, fields, isFreeToCreate } of guarded) {
    cachedFields.set(model, fields);
    model.addHook('beforeUpdate', (row, options) => requireEdit(model, options, row.changed() || []));
    model.addHook('beforeDestroy', (_row, options) => requireEdit(model, options));
    model.addHook('beforeBulkUpdate', (options) => requireEdit(model, options, options.fields));
    model.addHook('beforeBulkDestroy', (options) => requireEdit(model, options));
    if (isFreeToCreate) continue;
    model.addHook('beforeCreate', (_row, options) => requireEdit(model, options));
    model.addHook('beforeBulkCreate', (_rows, options) => requireEdit(model, options));
  }
}

interface Nested {
  transaction?: (Transaction & { parent?: Transaction }) | null;
}

function requireEdit(model: ModelStatic<Model>, { transaction }: Nested, fields?: readonly PropertyKey[]): void {
  const cached = cachedFields.get(model) ?? 'all';
  if (fields && cached !== 'all' && !fields.some((field) => cached.includes(String(field)))) return;
  const edit = transaction && edits.get(transaction.parent ?? transaction);
  if (!edit?.hasNamed) throw new Error(`${model.name} is changed outside of an edit that names its sensors`);
}

export interface AffectedPartitions {
  partitionCount: number;
  partitions: readonly number[];
}

export interface SensorSource {
  from: string;
  sensorId: string;
  column: string;
  ids: readonly number[];
}

export type SensorSelection =
  | { sensorIds: readonly number[] }
  | { ownerId: number }
  | { triggerId: number }
  | { sensorTriggerIds: readonly number[] }
  | SensorSource;

/** Call before a removal deletes the triggers that find them. */
export async function findPartitions(run: RunSql, selection: SensorSelection): Promise<AffectedPartitions> {
  const partitionCount = await readCount(run);
  if ('sensorIds' in selection) {
    return { partitionCount, partitions: [...new Set(selection.sensorIds.map((id) => id % partitionCount))] };
  }
  const { from, sensorId, column, ids } = sourceOf(selection);
  if (ids.length === 0) return { partitionCount, partitions: [] };
  const rows = await run(`SELECT DISTINCT MOD(${sensorId}, ?) AS partitionNo FROM ${from} WHERE ${column} IN (?)`, [
    partitionCount,
    ids,
  ]);
  return { partitionCount, partitions: rows.map(({ partitionNo }) => Number(partitionNo)) };
}

function sourceOf(selection: Exclude<SensorSelection, { sensorIds: readonly number[] }>): SensorSource {
  if ('from' in selection) return selection;
  if ('ownerId' in selection) {
    return { from: 'sensors', sensorId: 'id', column: 'owner_id', ids: [selection.ownerId] };
  }
  const connected = { from: 'sensor_triggers', sensorId: 'sensor_id' };
  if ('triggerId' in selection) return { ...connected, column: 'trigger_id', ids: [selection.triggerId] };
  return { ...connected, column: 'id', ids: selection.sensorTriggerIds };
}

/**
 * Also changes a service that writes to one of the sensors: a new subscriber misses none of its outputs, whichever
 * server of a cluster runs the pass.
 */
export async function bumpEpochs(
  run: RunSql,
  affected: readonly AffectedPartitions[],
  sensorIds: readonly number[] = [],
): Promise<void> {
  const partitions = [...new Set(affected.flatMap((some) => some.partitions))];
  const [partitionCount] = new Set(affected.map((some) => some.partitionCount));
  if (partitions.length > 0) {
    await run(
      'UPDATE partitions SET state_epoch = state_epoch + 1, upload_epoch = upload_epoch + 1 WHERE partition_no IN (?) AND partition_count = ?',
      [partitions, partitionCount],
    );
    // Locked now, unless the partition count has changed; then the sensors may be in any partition.
    const count = await readCount(run);
    if (affected.some((some) => some.partitionCount !== count))
      await run('UPDATE partitions SET state_epoch = state_epoch + 1, upload_epoch = upload_epoch + 1', []);
  }
  if (sensorIds.length > 0) await run('UPDATE services SET version = version + 1 WHERE id IN (?)', [sensorIds]);
}

async function readCount(run: RunSql): Promise<number> {
  const [row] = await run('SELECT partition_count AS partitionCount FROM partitions WHERE partition_no = 0', []);
  return Number(row?.partitionCount ?? 1);
}
