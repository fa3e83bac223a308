import { Op } from 'sequelize';
import type { Changer } from '../../access/author';
import { lockUser } from '../../access/locked-user';
import { editTogether } from '../../access/rule-edit';
import { nameRuleSet } from '../../audit';
import { bodyOf } from '../../edge/body-bytes';
import type { ReadModel } from '../../edge/read-model';
import { HIDDEN } from '../../notifications';
import type { Clock } from '../../platform/clock';
import type { Database } from '../../storage';
import { Sensor } from '../../storage/models/sensor.model';
import { readDesired } from './desired-rules';
import { readPresent } from './present-rules';
import { type Kind, type RuleSet, readRuleSet } from './read-rule-set';
import { type RuleServices, RuleSetApplier } from './rule-set-applier';
import { namesOfFree, textOfAccount, textOfSet } from './rule-set-text';
import { wantedOf } from './wanted-rules';

/** Values of headers and secrets by their names. */
export interface NotificationSecrets {
  headers?: Readonly<Record<string, string>>;
  secrets?: Readonly<Record<string, string>>;
}

/** What stands for the archive's names and ids in the account. */
export interface ImportedContext {
  readModel: ReadModel;
  /** The id of the sensor; undefined if it was not imported. */
  sensorOf: (reference: string) => string | undefined;
  /** By the names of notifications. */
  secrets: Readonly<Record<string, NotificationSecrets>>;
  /** Says why something of the document is left out. */
  leaveOut: (what: string, why: string) => void;
}

export interface AddedRules {
  added: number;
  kept: number;
}

const BETWEEN = '---\n';
/** More than a document may have. */
const MOST = 100_000;
const NO_SECRET = 'missing';

/** The rules of an account as documents: those of its rule sets, and at last all that no set manages. */
export class ArchivedRules {
  private readonly applier: RuleSetApplier;

  constructor(
    private readonly database: Database,
    clock: Clock,
    private readonly services: RuleServices,
    private readonly schemaUrl: string,
  ) {
    this.applier = new RuleSetApplier(services, clock);
  }

  async text(userId: number): Promise<string> {
    const present = await readPresent(userId, 'all', false, MOST);
    const names = [...new Set(present.items.map(({ setName }) => setName))].sort();
    const sets = names.map((name) => textOfSet(present, name, this.schemaUrl));
    return [...sets, textOfAccount(present, this.schemaUrl)].join(BETWEEN);
  }

  /** The documents of a text, in the order in which they are added: others may name what no set manages. */
  async read(text: string, readModel: ReadModel): Promise<{ set: RuleSet; isFree: boolean }[]> {
    const documents = text.split(/^---\n/m).filter((one) => one.trim() !== '');
    const sets: { set: RuleSet; isFree: boolean }[] = [];
    for (const [index, document] of documents.entries()) {
      const set = await readRuleSet(bodyOf(document), readModel);
      sets.push({ set, isFree: index === documents.length - 1 });
    }
    return sets.reverse();
  }

  /** Throws the mistakes of the API's requests, without what a rule names. Changes nothing. */
  async check(userId: number, set: RuleSet): Promise<void> {
    const alone: RuleSet = {
      ...set,
      notifications: (set.notifications ?? []).filter(isPortable).map(({ id: _id, ...one }) => withSecrets(one, {})),
      triggers: (set.triggers ?? []).map(({ id: _id, depends_on: _parent, ...one }) => ({
        ...{ ...one, sensors: [], notifications: [] },
      })),
      mutes: (set.mutes ?? []).map(({ id: _id, ...one }) => ({ ...one, sensors: [], triggers: [] })),
    };
    const nothing = { items: [], sensors: [], things: NO_THINGS };
    await readDesired(userId, alone, nothing, { ...this.services, takesSecrets: true });
  }

  /** Adds what the account does not have, all or nothing. What has the same name is kept as it is. */
  async add(caller: Changer, given: { set: RuleSet; isFree: boolean }, context: ImportedContext): Promise<AddedRules> {
    const { userId } = caller;
    const { isFree } = given;
    if (!isFree) nameRuleSet(given.set.set);
    return editTogether(this.database.sequelize, async ({ transaction }) => {
      await lockUser(userId, transaction);
      const { set, kept } = await this.missing(userId, given, context);
      const present = await readPresent(userId, wantedOf(set), true);
      const desired = await readDesired(userId, set, present, { ...this.services, takesSecrets: true });
      const changer = isFree ? caller : { ...caller, ruleSet: set.set };
      const { ids } = await this.applier.apply(changer, set, desired, { removed: [], episodes: 'keep' });
      if (!isFree) {
        const wanted = wantedOf(set);
        const idsOf = (kind: Kind) => [
          ...wanted.ids[kind],
          ...[...ids].flatMap(([entry, id]) => (entry.kind === kind ? id : [])),
        ];
        const after = { notification: idsOf('notification'), trigger: idsOf('trigger'), mute: idsOf('mute') };
        await this.applier.record(userId, set, await readPresent(userId, { ...wanted, ids: after }), ids, false);
      }
      return { added: ids.size, kept };
    });
  }

  /** The entries that the account does not have, with its sensors in place of the archive's. */
  private async missing(userId: number, { set, isFree }: { set: RuleSet; isFree: boolean }, context: ImportedContext) {
    const present = await readPresent(userId, 'all', false, MOST);
    const free = namesOfFree(present);
    const managed = new Set(
      present.items.filter(({ setName }) => setName === set.set).map(({ kind, name }) => `${kind} ${name}`),
    );
    const isThere = (kind: Kind, name: string) =>
      free.has(`${kind} ${name}`) || (!isFree && managed.has(`${kind} ${name}`));
    let kept = 0;
    const own = <T extends { name: string; id?: string }>(kind: Kind, entries: readonly T[] = []) =>
      entries.flatMap(({ id: _id, ...entry }) => {
        if (!isThere(kind, entry.name)) return [entry];
        kept += 1;
        return [];
      });
    const readable = await ownSensors(
      userId,
      referencesIn(set).flatMap((one) => context.sensorOf(one) ?? []),
    );
    const sensors = (names: readonly string[] = [], of: string) =>
      names.flatMap((name) => {
        const id = context.sensorOf(name);
        if (id !== undefined && readable.has(id)) return [id];
        context.leaveOut(`the sensor ${name} of ${of}`, 'it is not among the imported sensors');
        return [];
      });
    const left = new Set((set.notifications ?? []).filter((one) => !isPortable(one)).map(({ name }) => name));
    for (const name of left) context.leaveOut(`the notification ${name}`, 'a browser allows push by itself');
    const missing: RuleSet = {
      ...{ ...set, tests: [] },
      notifications: own('notification', (set.notifications ?? []).filter(isPortable)).map((entry) =>
        this.complete(entry, context),
      ),
      triggers: own('trigger', set.triggers).map((entry) => ({
        ...{ ...entry, sensors: sensors(entry.sensors, `the trigger ${entry.name}`) },
        notifications: (entry.notifications ?? []).filter(({ name }) => !left.has(name)),
      })),
      mutes: own('mute', set.mutes).map((entry) => ({
        ...entry,
        sensors: sensors(entry.sensors, `the mute ${entry.name}`),
      })),
    };
    return { set: missing, kept };
  }

  private complete<T extends { name: string } & NotificationSecrets>(
    entry: T,
    { secrets, leaveOut }: ImportedContext,
  ): T {
    const known = secrets[entry.name] ?? {};
    const complete = withSecrets(entry, known);
    if (!lacksSecrets(entry, known)) return complete;
    leaveOut(`secrets of the notification ${entry.name}`, 'enter them, then enable it');
    return { ...complete, enabled: false };
  }
}

const NO_THINGS = { notification: new Map(), trigger: new Map(), mute: new Map() };

function isPortable({ type }: { type: string }): boolean {
  return type !== 'push';
}

function referencesIn({ triggers = [], mutes = [] }: RuleSet): string[] {
  return [...triggers, ...mutes].flatMap(({ sensors = [] }) => sensors);
}

async function ownSensors(ownerId: number, ids: readonly string[]): Promise<Set<string>> {
  const own = await Sensor.findAll({ attributes: ['id'], where: { ownerId, id: { [Op.in]: [...new Set(ids)] } } });
  return new Set(own.map(({ id }) => String(id)));
}

const FIELDS = ['headers', 'secrets'] as const;

function lacksSecrets(entry: NotificationSecrets, known: NotificationSecrets): boolean {
  return FIELDS.some((field) => Object.keys(entry[field] ?? {}).some((name) => known[field]?.[name] === undefined));
}

/** Hidden values are filled in. */
function withSecrets<T extends NotificationSecrets>(entry: T, known: NotificationSecrets): T {
  const filled = FIELDS.flatMap((field) => {
    const values = entry[field];
    if (!values) return [];
    const all = Object.entries(values).map(([name, value]) => [
      name,
      value === HIDDEN ? (known[field]?.[name] ?? NO_SECRET) : value,
    ]);
    return [[field, Object.fromEntries(all)] as const];
  });
  return { ...entry, ...Object.fromEntries(filled) };
}
