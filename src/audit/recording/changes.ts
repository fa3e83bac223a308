import type { RunSql } from '../../storage/transaction';
import { append } from '../chain/chain-writer';
import type { AuditEntry, Chain } from '../chain/record';
import type { Act } from './act';
import { SECRET, shortList, shortText } from './shown-values';

/** Finds the owner, and the name, of a subject by the rows of another table. */
export interface Parent {
  from: string;
  key: string;
  /** The column of the subject's id, where that is another. */
  id?: string;
  owner: string;
  name: string;
}

export interface Change {
  kind: string;
  /** Null until `parent` finds it. */
  id: number | null;
  name?: string | null;
  /** The account whose thing it is. Null for what belongs to a group, or where `parent` knows it. */
  owner: number | null;
  /** The group whose members see the record as well. */
  groupId?: number | null;
  parent?: { by: Parent; key: number };
  /** Only in the history of the owner: another record has the change for everybody else. */
  isCopy?: true;
  fields: ReadonlyMap<string, readonly [unknown, unknown]>;
  item?: { list: string; text: string; is: 'added' | 'removed' };
}

const MOST_FIELDS = 200;

interface Subject extends Pick<Change, 'kind' | 'id' | 'owner' | 'groupId' | 'isCopy'> {
  name: string | null;
  fields: Map<string, readonly [unknown, unknown]>;
  lists: Map<string, { added: Set<string>; removed: Set<string> }>;
}

/** What one transaction changes. Becomes a record for each subject, before the commit. */
export class Changes {
  private readonly all: Change[] = [];

  constructor(private readonly act: Act) {}

  add(change: Change): void {
    this.all.push(change);
  }

  async write(run: RunSql): Promise<void> {
    const subjects = merge(await findParents(run, this.all));
    const entries = new Map<Chain, AuditEntry[]>();
    for (const subject of subjects) {
      const entry = entryOf(this.act, subject);
      if (!entry) continue;
      for (const chain of chainsOf(this.act, subject)) {
        const some = entries.get(chain) ?? [];
        entries.set(chain, some);
        some.push(showsAddress(this.act, chain) ? entry : { ...entry, address: null });
      }
    }
    // Always in the same order, so that no two transactions wait for each other.
    for (const [chain, some] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
      await append(run, chain, some, this.act.dateMs);
  }
}

async function findParents(run: RunSql, changes: readonly Change[]): Promise<Change[]> {
  const wanted = new Map<Parent, Set<number>>();
  for (const { parent } of changes) {
    if (parent) wanted.set(parent.by, (wanted.get(parent.by) ?? new Set()).add(parent.key));
  }
  const found = new Map<string, Pick<Change, 'id' | 'owner' | 'name'>>();
  for (const [by, keys] of wanted) {
    const { from, key, id = key, owner, name } = by;
    const sql = `SELECT ${key} AS found, ${id} AS id, ${owner} AS owner, ${name} AS name FROM ${from} WHERE ${key} IN (?)`;
    for (const row of await run(sql, [[...keys]]))
      found.set(`${from}:${row.found}`, { id: Number(row.id), owner: Number(row.owner), name: String(row.name) });
  }
  // What is gone with its subject is not recorded again.
  return changes.flatMap((change) => {
    if (!change.parent) return change;
    const subject = found.get(`${change.parent.by.from}:${change.parent.key}`);
    if (!subject) return [];
    return { ...change, ...subject, id: change.id ?? subject.id, owner: change.owner ?? subject.owner };
  });
}

function merge(changes: readonly Change[]): Subject[] {
  const subjects = new Map<string, Subject>();
  for (const change of changes) {
    const { kind, id, owner, groupId, isCopy, name = null, fields, item } = change;
    const key = `${kind}:${id}:${owner}:${groupId}`;
    const of = { kind, id, owner, groupId, ...(isCopy && { isCopy }), name };
    const subject = subjects.get(key) ?? { ...of, fields: new Map(), lists: new Map() };
    subjects.set(key, subject);
    subject.name = name ?? subject.name;
    for (const [field, [before, after]] of fields) {
      const known = subject.fields.get(field);
      subject.fields.set(field, [known ? known[0] : before, after]);
    }
    if (item) addItem(subject, item);
  }
  return [...subjects.values()];
}

/** An item that is removed and added again has not changed. */
function addItem({ lists }: Subject, { list, text, is }: NonNullable<Change['item']>): void {
  const items = lists.get(list) ?? { added: new Set<string>(), removed: new Set<string>() };
  lists.set(list, items);
  const [here, opposite] = is === 'added' ? [items.added, items.removed] : [items.removed, items.added];
  if (!opposite.delete(text)) here.add(text);
}

function entryOf(act: Act, { kind, id, name, fields, lists }: Subject): AuditEntry | undefined {
  const changed = [...fields].filter(([, [before, after]]) => before !== after || before === SECRET);
  for (const [list, { added, removed }] of lists) {
    if (added.size + removed.size > 0) changed.push([list, [shortList([...removed]), shortList([...added])]]);
  }
  if (changed.length === 0) return undefined;
  const others = changed.splice(MOST_FIELDS).length;
  if (others > 0) changed.push(['…', [null, others]]);
  const subject = { subjectKind: kind, subjectId: id, subjectName: name === null ? null : shortText(name, 255) };
  return { ...ofAct(act), ...subject, refused: null, times: 1, changed: JSON.stringify(Object.fromEntries(changed)) };
}

export function ofAct(
  act: Act,
): Pick<AuditEntry, 'who' | 'byKind' | 'byId' | 'byName' | 'ruleSet' | 'address' | 'action'> {
  const { userId: who, byKind, byId, byName, ruleSet, address, action } = act;
  return {
    ...{ who, byKind, byId, address: address?.slice(0, 64) ?? null, action: action.slice(0, 64) },
    byName: byName === undefined ? null : shortText(byName, 255),
    ruleSet: ruleSet === undefined ? null : shortText(ruleSet, 255),
  };
}

/** Who changed the thing of another account has it in their own history; so has the group, when an account is deleted. */
function chainsOf({ userId }: Act, { kind, id, owner, groupId, isCopy }: Subject): Chain[] {
  const group = kind === 'group' ? id : groupId;
  const accounts = [...new Set([owner ?? userId, isCopy ? owner : userId])];
  const chains = accounts.flatMap((account): Chain[] => (account === null ? [] : [`account:${account}`]));
  return typeof group === 'number' ? [...chains, `group:${group}`] : chains;
}

/** Others may read the chain, and would find an address by its hash: there are few addresses. */
function showsAddress({ userId, byKind }: Act, chain: Chain): boolean {
  return chain === `account:${userId}` || (byKind === 'visitor' && chain.startsWith('account:'));
}
