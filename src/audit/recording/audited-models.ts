import { type Model, type ModelStatic, Op, type WhereOptions } from 'sequelize';
import { currentAct } from './act';
import type { Change, Parent } from './changes';
import { noteModelChange, type Within } from './note-change';
import { differences, type Row, type ShownColumns, shortText } from './shown-values';

/** A model whose changes are recorded. Every attribute is shown, secret, quiet or one of the others. */
export interface AuditedModel {
  model: ModelStatic<Model>;
  kind: string;
  /** The attribute of the subject's id; by default `id`. Null if `parent` finds it. */
  id?: string | null;
  name?: string;
  /** The attribute of the account whose thing it is. */
  owner?: string;
  /** The attribute of the group whose members see it as well. */
  group?: string;
  /** The attribute of another account that has the change in its history, under this kind of subject. */
  affects?: { account: string; kind: string; by?: Parent };
  /** Knows owner and name of the subject; `key` is an attribute. */
  parent?: { by: Parent; key: string };
  /** The row is an item of this list of the subject. */
  item?: { list: string; attributes: readonly string[]; hasDetails?: true };
  shown?: readonly string[];
  secret?: readonly string[];
  /** Changes of these are not recorded: states, counters, hashes of keys. */
  quiet?: readonly string[];
}

const HOOK = 'audit';
const namedModels = new Map<string, AuditedModel>();

/** The model of these subjects, if they have names and owners. */
export function namedModel(kind: string): AuditedModel | undefined {
  return namedModels.get(kind);
}

/** Records every change that these models make in an act. Such a change outside of a transaction fails. */
export function auditModels(audited: readonly AuditedModel[]): void {
  for (const each of audited) {
    const { model, kind, name: nameAttribute, owner } = each;
    if (nameAttribute && owner) namedModels.set(kind, each);
    const hook = (name: string, work: (...given: never[]) => unknown) => {
      // A process may build several containers, in tests.
      Reflect.apply(model.removeHook, model, [name, HOOK]);
      Reflect.apply(model.addHook, model, [name, HOOK, work]);
    };
    const add = (row: Model, options: Within) => note(each, options, undefined, row.get());
    hook('afterCreate', add);
    hook('beforeBulkCreate', (rows: readonly Model[], options: BulkCreate) => keepReplaced(each, rows, options));
    hook('afterBulkCreate', (rows: readonly Model[], options: BulkCreate) => noteBulkCreate(each, rows, options));
    hook('beforeUpsert', () => {
      throw new Error(`${model.name} is audited, and an upsert does not show what was before: use create or update`);
    });
    hook('afterUpdate', (row: Model, options: Within) => noteUpdate(each, row, options));
    hook('afterDestroy', (row: Model, options: Within) => note(each, options, row.get(), undefined));
    hook('beforeBulkUpdate', (options: BulkUpdate) => noteBulkUpdate(each, options));
    hook('beforeBulkDestroy', (options: Bulk) => noteBulkDestroy(each, options));
  }
}

interface BulkCreate extends Within {
  updateOnDuplicate?: readonly string[];
}

interface Replaced {
  rows: ReadonlyMap<string, Row>;
  attributes: readonly string[];
}

const replacedBy = new WeakMap<object, Replaced>();

async function keepReplaced(each: AuditedModel, rows: readonly Model[], options: BulkCreate): Promise<void> {
  const { updateOnDuplicate, transaction } = options;
  if (!currentAct() || !updateOnDuplicate || rows.length === 0) return;
  const keys = rows.map((row) => Object.fromEntries(keyOf(each, row.get())));
  const found = await rowsOf(each, { where: { [Op.or]: keys }, transaction });
  const known = found.map((row) => [nameOf(each, row), row] as const);
  replacedBy.set(options, { rows: new Map(known), attributes: [...updateOnDuplicate] });
}

function noteBulkCreate(each: AuditedModel, rows: readonly Model[], options: BulkCreate): void {
  const replaced = replacedBy.get(options);
  for (const row of rows) {
    const given: Row = row.get();
    const before = replaced?.rows.get(nameOf(each, given));
    const changed = replaced?.attributes.map((name) => [name, given[name]] as const);
    noteReplacement(each, options, before, before && changed ? { ...before, ...Object.fromEntries(changed) } : given);
  }
}

/** An item that moves leaves one subject and comes to another. */
function noteReplacement(each: AuditedModel, options: Within, before: Row | undefined, after: Row): void {
  const { id, item } = each;
  const moves = before && item && id && Number(before[id]) !== Number(after[id]);
  if (moves) note(each, options, before, undefined);
  note(each, options, moves ? undefined : before, after);
}

function keyOf({ model }: AuditedModel, row: Row): [string, unknown][] {
  return model.primaryKeyAttributes.map((name) => [name, row[name]]);
}

function nameOf(each: AuditedModel, row: Row): string {
  return keyOf(each, row).join();
}

function noteUpdate(each: AuditedModel, row: Model, options: Within): void {
  const after: Row = row.get();
  const before = Object.fromEntries(Object.keys(after).map((name) => [name, row.previous(name)]));
  noteReplacement(each, options, before, after);
}

interface Bulk extends Within {
  where?: WhereOptions;
  limit?: number;
}

interface BulkUpdate extends Bulk {
  attributes: Row;
  fields: readonly string[];
}

async function noteBulkUpdate(each: AuditedModel, options: BulkUpdate): Promise<void> {
  const { shown, secret } = columnsOf(each);
  if (!currentAct() || !options.fields.some((name) => shown.includes(name) || secret.includes(name))) return;
  const given = options.fields.map((name) => [name, plainValue(options.attributes[name])]);
  for (const before of await rowsOf(each, options))
    note(each, options, before, { ...before, ...Object.fromEntries(given) });
}

async function noteBulkDestroy(each: AuditedModel, options: Bulk): Promise<void> {
  if (!currentAct()) return;
  for (const before of await rowsOf(each, options)) note(each, options, before, undefined);
}

async function rowsOf({ model, quiet = [] }: AuditedModel, { where, limit, transaction }: Bulk): Promise<Row[]> {
  const lock = Boolean(transaction); // nobody changes them before this change
  const given = {
    ...(where && { where }),
    ...(limit !== undefined && { limit }),
    transaction: transaction ?? null,
    lock,
  };
  const exclude = quiet.filter((name) => !model.primaryKeyAttributes.includes(name));
  const rows = await model.findAll({ ...given, attributes: { exclude } });
  return rows.map((row) => row.get());
}

/** A record has the value, so MySQL must not compute it. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value))
    throw new TypeError('an audited column is set to a value, not to what MySQL computes');
  return value;
}

function columnsOf({ shown = [], secret = [] }: AuditedModel): ShownColumns {
  return { shown, secret };
}

function note(each: AuditedModel, within: Within, before: Row | undefined, after: Row | undefined): void {
  if (!currentAct()) return;
  const changes = changesOf(each, before, after).filter(({ fields, item }) => fields.size > 0 || item);
  for (const change of changes) noteModelChange(each.model, within, change);
}

/** With what others did to an account. */
function changesOf(each: AuditedModel, before: Row | undefined, after: Row | undefined): Change[] {
  const change = changeOf(each, before, after);
  const { affects } = each;
  const account = affects ? numberOr((after ?? before)?.[affects.account]) : null;
  if (!affects || account === null || account === currentAct()?.userId) return [change];
  const { groupId: _, ...copied } = change;
  const { kind, by } = affects;
  const parent = by && change.id !== null ? { parent: { by, key: change.id } } : {};
  return [change, { ...copied, ...parent, kind, owner: account, isCopy: true }];
}

function changeOf(each: AuditedModel, before: Row | undefined, after: Row | undefined): Change {
  const { kind, id = 'id', name, owner, group, parent } = each;
  const row = after ?? before ?? {};
  return {
    kind,
    id: id === null ? null : Number(row[id]),
    owner: owner === undefined ? null : numberOr(row[owner]),
    ...(name !== undefined && { name: row[name] ? String(row[name]) : null }),
    ...(group !== undefined && { groupId: numberOr(row[group]) }),
    ...(parent && { parent: { by: parent.by, key: Number(row[parent.key]) } }),
    ...contentOf(each, before, after),
  };
}

/** The fields of a subject; an item, or the fields of an item, where rows are items of its list. */
function contentOf(
  each: AuditedModel,
  before: Row | undefined,
  after: Row | undefined,
): Pick<Change, 'fields' | 'item'> {
  const { item } = each;
  const fields = differences(columnsOf(each), before, after);
  if (!item) return { fields };
  const row = after ?? before ?? {};
  const text = shortText(item.attributes.map((attribute) => row[attribute]).join(' '));
  const named = new Map([...fields].map(([field, pair]) => [`${item.list}/${text}/${field}`, pair]));
  if (before && after) return { fields: named };
  const details = item.hasDetails && after ? [...named].filter(([, [, value]]) => value !== false) : [];
  const is = after ? ('added' as const) : ('removed' as const);
  return { fields: new Map(details), item: { list: item.list, text, is } };
}

function numberOr(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}
