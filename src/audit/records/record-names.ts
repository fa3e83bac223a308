import type { Database } from '../../storage';
import { findKnownNames } from '../../storage/known-users';
import { sharedSensorsSql } from '../../storage/sensor-visibility';
import { runOn } from '../../storage/transaction';
import type { AuditRecord } from '../chain/record';
import { namedModel } from '../recording/audited-models';
import { type Reference, referencesOf } from './references';

export interface NamedReference extends Reference {
  name: string;
}

/** A record with names as they are now. */
export interface NamedRecord extends AuditRecord {
  /** Null for an account that is gone, or whose name the reader sees nowhere else. */
  username: string | null;
  /** The name of the reader's own key, application or MQTT source; null if it is gone. */
  credentialName: string | null;
  /** Without things that are gone, or that the reader does not see. */
  references: NamedReference[];
}

type Thing = Pick<Reference, 'kind' | 'id'>;
type Names = ReadonlyMap<number, string>;

/** Finds the names of what records have as ids, as far as the reader sees them. */
export class RecordNames {
  constructor(
    private readonly database: Database,
    private readonly userId: number,
    /** The group whose history is read. */
    private readonly groupId: number | undefined,
  ) {}

  async add(records: readonly AuditRecord[]): Promise<NamedRecord[]> {
    const found = records.map((record) => {
      const { who, byKind, byId } = record;
      return {
        record,
        user: who === null ? undefined : { kind: 'user', id: who },
        credential: who === this.userId && byId !== null ? { kind: byKind, id: byId } : undefined,
        references: referencesOf(record),
      };
    });
    const things = found.flatMap(({ user = [], credential = [], references }) => [user, credential, references].flat());
    const names = await this.namesOf(things);
    const nameOf = (thing: Thing | undefined) => (thing && names.get(thing.kind)?.get(thing.id)) ?? null;
    return found.map(({ record, user, credential, references }) => ({
      ...record,
      username: nameOf(user),
      credentialName: nameOf(credential),
      references: references.flatMap((reference) => {
        const name = nameOf(reference);
        return name === null ? [] : { ...reference, name };
      }),
    }));
  }

  private async namesOf(things: readonly Thing[]): Promise<ReadonlyMap<string, Names>> {
    const ids = new Map<string, Set<number>>();
    for (const { kind, id } of things) ids.set(kind, (ids.get(kind) ?? new Set()).add(id));
    return new Map(
      await Promise.all([...ids].map(async ([kind, some]) => [kind, await this.find(kind, [...some])] as const)),
    );
  }

  private async find(kind: string, ids: readonly number[]): Promise<Names> {
    if (kind === 'user') return this.run(USERNAMES, [await this.shownUsers(ids)]);
    if (kind === 'group') return this.run(GROUPS, [ids, this.userId]);
    if (kind === 'sensor') return this.run(`${SENSORS} id IN (${sharedSensorsSql(this.userId)}))`, [ids, this.userId]);
    const { model, name, owner } = namedModel(kind) ?? {};
    if (!model || !name || !owner) return new Map();
    const rows = await model.findAll({ where: { id: ids, [owner]: this.userId }, attributes: ['id', name] });
    return new Map(rows.map((row) => [Number(row.get('id')), String(row.get(name))]));
  }

  /** Whose usernames the reader sees: in the group, or anywhere. */
  private async shownUsers(ids: readonly number[]): Promise<number[]> {
    const others = ids.filter((id) => id !== this.userId);
    const run = runOn(this.database.reads);
    if (others.length === 0 || this.groupId === undefined)
      return [this.userId, ...(await findKnownNames(run, this.userId, others))];
    const members = await run(SHOWN_MEMBERS, [this.groupId, others]);
    return [this.userId, ...members.map(({ id }) => Number(id))];
  }

  private async run(sql: string, values: unknown[]): Promise<Names> {
    const rows = await runOn(this.database.reads)(sql, values);
    return new Map(rows.map(({ id, name }) => [Number(id), String(name)]));
  }
}

const USERNAMES = 'SELECT id, username AS name FROM users WHERE closed_ms IS NULL AND id IN (?)';

/** Those that the reader may know of. */
const GROUPS = `SELECT g.id, g.name FROM user_groups g WHERE g.id IN (?) AND
  (g.hidden = FALSE OR EXISTS (SELECT 1 FROM group_users m WHERE m.group_id = g.id AND m.user_id = ?))`;

const SENSORS = 'SELECT id, name FROM sensors WHERE id IN (?) AND (owner_id = ? OR';

const SHOWN_MEMBERS = `SELECT user_id AS id FROM group_users
  WHERE group_id = ? AND user_id IN (?) AND accepted AND (show_username OR agreed_username)`;
