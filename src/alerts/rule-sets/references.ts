import { parseId } from '../../edge/id';
import type { Reference } from './entry-fields';
import { indexNames, type NamedKind } from './name-index';
import type { Present, Thing } from './present-rules';
import { KINDS, type Kind, LISTS, type RuleSet } from './read-rule-set';

/** The entry of a set, and the thing of the account that it stands for. */
export interface Identified {
  kind: Kind;
  name: string;
  path: string;
  /** Undefined for one that will be created. */
  thing: Thing | undefined;
  /** The set did not manage it before. */
  isAdopted: boolean;
  keepsOwnName: boolean;
}

/** Finds what each entry stands for: what the set manages under this name, the given id, or the only other thing of this name. */
export function identifyAll(set: RuleSet, present: Present): Identified[] {
  const entries = KINDS.flatMap((kind) =>
    (set[LISTS[kind]] ?? []).map((entry, index) => ({ kind, entry, path: `${LISTS[kind]}[${index}]` })),
  );
  const taken = new Map<string, string>();
  return entries.map(({ kind, entry, path }): Identified => {
    const { id, name } = entry;
    const item = present.items.find((one) => one.setName === set.set && one.kind === kind && one.name === name);
    const managed = item && present.things[kind].get(item.thingId);
    const given = id === undefined ? undefined : thingOf(set, present, { kind, id, path });
    if (managed && given && managed.row.id !== given.row.id) {
      throw set.text.mistake(
        `${path}.id`,
        `is not the one that the set manages under this name: that is ${managed.row.id}`,
      );
    }
    const thing = managed ?? given ?? namesake(set, present, { kind, name, path });
    const key = `${kind} ${thing?.row.id}`;
    if (thing && taken.has(key)) throw set.text.mistake(`${path}.name`, `is the same ${kind} as ${taken.get(key)}`);
    taken.set(key, path);
    return { kind, name, path, thing, isAdopted: thing !== undefined && !managed, keepsOwnName: given !== undefined };
  });
}

function thingOf(set: RuleSet, present: Present, { kind, id, path }: { kind: Kind; id: string; path: string }): Thing {
  const number = parseId(id);
  const thing = number === null ? undefined : present.things[kind].get(number);
  if (!thing) throw set.text.mistake(`${path}.id`, `names a ${kind} that does not exist`);
  const owner = present.items.find((one) => one.kind === kind && one.thingId === number);
  if (owner && owner.setName !== set.set) {
    throw set.text.mistake(`${path}.id`, `names a ${kind} that the rule set ${owner.setName} manages`);
  }
  return thing;
}

function namesake(set: RuleSet, present: Present, { kind, name, path }: { kind: Kind; name: string; path: string }) {
  const managed = new Set(present.items.filter((one) => one.kind === kind).map(({ thingId }) => thingId));
  const same = [...present.things[kind].values()].filter(({ row }) => row.name === name && !managed.has(row.id));
  const ids = same.map(({ row }) => row.id);
  if (ids.length > 1) throw set.text.mistake(`${path}.name`, ambiguous(ids, kind));
  return same[0];
}

function ambiguous(ids: readonly number[], kind: string): string {
  return `is the name of several ${kind}s of yours: give the id of one of them (${ids.slice(0, 10).join(', ')})`;
}

/** Resolves names that entries refer to. */
export class References {
  private readonly entries: ReadonlyMap<string, Identified>;
  private readonly names: ReturnType<typeof indexNames>;

  constructor(
    private readonly set: RuleSet,
    present: Present,
    identified: readonly Identified[],
  ) {
    this.entries = new Map(identified.map((entry) => [`${entry.kind} ${entry.name}`, entry]));
    this.names = indexNames(present);
  }

  /** An entry of the set, or another thing of the user. */
  thing(kind: 'notification' | 'trigger', name: string, path: string, kept: readonly number[] = []): Reference {
    const entry = this.entries.get(`${kind} ${name}`);
    if (entry) return entry.thing?.row.id ?? name;
    return this.stored(kind, name, path, kept);
  }

  /** A thing of the user, by its id or its name. A mute may keep ids of things that were deleted. */
  stored(kind: NamedKind, name: string, path: string, kept: readonly number[] = []): number {
    const id = parseId(name);
    if (id !== null && (kept.includes(id) || this.names[kind].nameOf(id) !== undefined)) return id;
    const same = this.names[kind].idsOf(name);
    const [only] = same;
    if (only === undefined) throw this.set.text.mistake(path, `names a ${kind} that you do not have`);
    if (same.length > 1) throw this.set.text.mistake(path, ambiguous(same, kind));
    return only;
  }
}
