import { stringify } from 'yaml';
import { formatIsoDate } from '../../edge/dates';
import { parseId } from '../../edge/id';
import { isDigested } from '../../notifications';
import { type Connection, canonical, DEFAULTS, type DependencyFields, type Fields } from './entry-fields';
import { indexNames, type NamedKind } from './name-index';
import type { Present, Thing } from './present-rules';
import { KINDS, LISTS } from './read-rule-set';

interface ExportedEntry {
  name: string;
  /** Written if the name alone would not find the thing. */
  hasId: boolean;
  thing: Thing;
}

/** Fields of an entry in the order in which people read them. */
const FIRST = ['name', 'id', 'type', 'destination', 'expression', 'inactivity', 'selector', 'sensors'];
const EVERYTHING = 'account';

/** What a set manages, as it is now. */
export function textOfSet(present: Present, set: string, schemaUrl: string): string {
  const own = present.items.filter(({ setName }) => setName === set);
  const entries = own.flatMap(({ kind, name, thingId }): ExportedEntry[] => {
    const thing = present.things[kind].get(thingId);
    return thing ? [{ name, hasId: thing.row.name !== name, thing }] : [];
  });
  return write(present, { set, entries }, [`yaml-language-server: $schema=${schemaUrl}`]);
}

/** Everything that no set manages yet, as a new set. */
export function textOfAccount(present: Present, schemaUrl: string): string {
  const sets = [...new Set(present.items.map(({ setName }) => setName))];
  const entries = freeEntries(present);
  let set = EVERYTHING;
  for (let number = 2; sets.includes(set); number += 1) set = `${EVERYTHING}-${number}`;
  const comments = [
    `yaml-language-server: $schema=${schemaUrl}`,
    'Notifications of single sensors are not part of a rule set.',
    ...sets.map((one) => `Without what the rule set ${one} manages: GET /rules/${one}`),
  ];
  return write(present, { set, entries }, comments);
}

/** Kinds and names of what no set manages, as an export names it. */
export function namesOfFree(present: Present): ReadonlySet<string> {
  return new Set(freeEntries(present).map(({ name, thing }) => `${thing.kind} ${name}`));
}

/** All things, with the names that they have in documents. */
export function namesOfThings(present: Present): { name: string; thing: Thing }[] {
  const managed = present.items.flatMap(({ kind, name, thingId }) => {
    const thing = present.things[kind].get(thingId);
    return thing ? [{ name, thing }] : [];
  });
  return [...managed, ...freeEntries(present)];
}

function freeEntries(present: Present): ExportedEntry[] {
  const managed = new Set(present.items.map(({ kind, thingId }) => `${kind} ${thingId}`));
  return KINDS.flatMap((kind) => {
    const free = [...present.things[kind].values()].filter(({ row }) => !managed.has(`${kind} ${row.id}`));
    return withNames(free);
  });
}

/** Names are made unique; things without one are called by what they are. */
function withNames(things: readonly Thing[]): ExportedEntry[] {
  const counts = new Map<string, number>();
  for (const { row } of things) if (row.name) counts.set(row.name, (counts.get(row.name) ?? 0) + 1);
  const taken = new Set(counts.keys());
  return things.map((thing): ExportedEntry => {
    const { id, name } = thing.row;
    if (name && counts.get(name) === 1) return { name, hasId: false, thing };
    const base = `${(name || String(thing.fields.type ?? thing.kind)).slice(0, 80)} ${id}`;
    let unique = base;
    for (let number = 2; taken.has(unique); number += 1) unique = `${base} (${number})`;
    taken.add(unique);
    return { name: unique, hasId: true, thing };
  });
}

function write(
  present: Present,
  { set, entries }: { set: string; entries: readonly ExportedEntry[] },
  comments: readonly string[],
): string {
  const names = new ExportedNames(present, entries);
  const document: Record<string, unknown> = { set };
  for (const kind of KINDS) {
    const own = entries.filter(({ thing }) => thing.kind === kind);
    if (own.length > 0) document[LISTS[kind]] = own.map((entry) => entryOf(entry, names));
  }
  const heading = comments.map((comment) => `# ${comment}\n`).join('');
  return heading + stringify(document, { lineWidth: 110, aliasDuplicateObjects: false });
}

function entryOf({ name, hasId, thing }: ExportedEntry, names: ExportedNames): Fields {
  const { kind, fields, row } = thing;
  const defaults: Fields = {
    ...DEFAULTS[kind],
    destination: null,
    digest: isDigested({ digest: null, type: String(fields.type) }),
  };
  const written = Object.entries(fields)
    .filter(([field, value]) => field !== 'name' && canonical(value) !== canonical(defaults[field]))
    .map(([field, value]) => [field, names.written(field, value)]);
  const entry = { name, ...(hasId && { id: String(row.id) }), ...Object.fromEntries(written) };
  const order = (field: string) => (FIRST.includes(field) ? FIRST.indexOf(field) : FIRST.length);
  return Object.fromEntries(Object.entries(entry).sort(([a], [b]) => order(a) - order(b)));
}

/** Names by which a document finds other things; ids where a name would not do. */
class ExportedNames {
  private readonly entries: ReadonlyMap<string, string>;
  private readonly taken: ReadonlySet<string>;
  private readonly names: ReturnType<typeof indexNames>;

  constructor(present: Present, entries: readonly ExportedEntry[]) {
    this.entries = new Map(entries.map(({ name, thing }) => [`${thing.kind} ${thing.row.id}`, name]));
    this.taken = new Set(entries.map(({ name, thing }) => `${thing.kind} ${name}`));
    this.names = indexNames(present);
  }

  written(field: string, value: unknown): unknown {
    if (field === 'start' || field === 'end') return value === null ? null : formatIsoDate(Number(value) * 1000);
    if (field === 'selector' && typeof value === 'object' && value !== null) return selectorOf(value);
    if (field === 'depends_on' && value) return this.dependency(value as DependencyFields); // nothing else is stored
    if (!Array.isArray(value)) return value;
    if (field === 'sensors') return value.map((id) => this.nameOf('sensor', Number(id)));
    if (field === 'triggers') return value.map((id) => this.nameOf('trigger', Number(id)));
    if (field !== 'notifications') return value;
    return value.map(({ notification, after }: Connection) => ({
      name: this.nameOf('notification', Number(notification)),
      ...(after > 0 && { after }),
    }));
  }

  private dependency({ trigger, sensor, wait }: DependencyFields): Fields {
    const name = this.nameOf('trigger', Number(trigger));
    return { trigger: name, ...(sensor !== 'same' && { sensor }), ...(wait > 0 && { wait }) };
  }

  private nameOf(kind: NamedKind, id: number): string {
    const entry = this.entries.get(`${kind} ${id}`);
    if (entry !== undefined) return entry;
    const name = this.names[kind].nameOf(id);
    const isUnique = name && parseId(name) === null && this.names[kind].idsOf(name).length === 1;
    return isUnique && !this.taken.has(`${kind} ${name}`) ? name : String(id);
  }
}

function selectorOf({ filter, namespace, all }: { filter?: unknown; namespace?: unknown; all?: unknown }): Fields {
  return { ...(all === true ? { all } : { filter }), ...(namespace !== 'default' && { namespace }) };
}
