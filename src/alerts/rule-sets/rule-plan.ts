import { createHash } from 'node:crypto';
import type { Desired, DesiredEntry } from './desired-rules';
import { type Changes, canonical, changesOf, type DependencyFields, type Fields } from './entry-fields';
import type { Present, Thing } from './present-rules';
import { KINDS, type Kind, type RuleSet } from './read-rule-set';

export type Action = 'create' | 'update' | 'delete' | 'none';

export interface PlannedChange {
  kind: Kind;
  name: string;
  action: Action;
  /** Undefined for one that will be created. */
  id: number | undefined;
  isAdopted: boolean;
  fields: Changes;
  /** Fields that were changed elsewhere since the set was applied; `deleted` alone if the thing is gone. */
  drift: readonly string[];
}

/** Entries of the document in their order, then what the set no longer names. */
export function plannedChanges(set: RuleSet, present: Present, desired: Desired): PlannedChange[] {
  const entries = [...desired.notifications, ...desired.triggers, ...desired.mutes];
  const changes = entries.map((entry) => changeOf(set, present, entry));
  const removed = removedThings(set, present, entries).map(({ kind, name, thing }): PlannedChange => {
    const applied = appliedFields(set, present, { kind, name });
    const drift = driftOf(kind, applied, thing);
    return { kind, name, action: 'delete', id: thing.row.id, isAdopted: false, fields: {}, drift };
  });
  return [...changes, ...removed];
}

/** Things that the set manages and its document does not name. */
export function removedThings(set: RuleSet, present: Present, entries: readonly DesiredEntry<unknown>[]) {
  const named = new Set(entries.map(({ kind, thing }) => `${kind} ${thing?.row.id}`));
  return present.items.flatMap(({ setName, kind, name, thingId }) => {
    const thing = present.things[kind].get(thingId);
    return setName === set.set && thing && !named.has(`${kind} ${thingId}`) ? [{ kind, name, thing }] : [];
  });
}

function changeOf(set: RuleSet, present: Present, entry: DesiredEntry<unknown>): PlannedChange {
  const { kind, name, thing, isAdopted, changes: fields } = entry;
  const isChanged = Object.keys(fields).length > 0;
  const action = thing ? (isChanged ? 'update' : 'none') : 'create';
  const applied = appliedFields(set, present, { kind, name });
  const drift = applied && !thing ? ['deleted'] : driftOf(kind, applied, thing);
  return { kind, name, action, id: thing?.row.id, isAdopted, fields, drift };
}

function appliedFields({ set }: RuleSet, { items }: Present, { kind, name }: { kind: Kind; name: string }) {
  const item = items.find((one) => one.setName === set && one.kind === kind && one.name === name);
  return item ? (JSON.parse(item.applied) as Fields) : undefined; // nothing else is stored
}

function driftOf(kind: Kind, applied: Fields | undefined, thing: Thing | undefined): string[] {
  return applied && thing ? Object.keys(changesOf(kind, applied, thing.fields)) : [];
}

/** Depends on the document, and on everything that the plan read. */
export function digestOf(set: RuleSet, present: Present): string {
  const things = KINDS.flatMap((kind) => [...present.things[kind].values()]).map(({ kind, row, fields }) => ({
    ...{ kind, id: row.id, fields },
    version: kind === 'trigger' ? row.version : null,
  }));
  const items = present.items.flatMap(({ setName, kind, name, thingId, applied }) => {
    if (setName === set.set) return [[setName, kind, name, thingId, applied]];
    // Another set matters only as the manager of a thing that was read.
    return present.things[kind].has(thingId) ? [[setName, kind, thingId]] : [];
  });
  const read = { document: set.text.value, things, items, sensors: present.sensors };
  return createHash('sha256').update(canonical(read)).digest('hex');
}

/** Replaces ids of other things by their names, for people. */
export function namedChanges(changes: Changes, names: Names): Changes {
  return Object.fromEntries(
    Object.entries(changes).map(([field, [before, after]]) => [
      field,
      [names.of(field, before), names.of(field, after)],
    ]),
  );
}

/** Names of what fields refer to: those of entries of the set first. */
export class Names {
  private readonly found = new Map<string, string>();

  constructor({ sensors, things, items }: Present, set: string) {
    for (const { id, name } of sensors) this.found.set(`sensor ${id}`, name);
    for (const kind of KINDS) {
      for (const { row } of things[kind].values()) if (row.name) this.found.set(`${kind} ${row.id}`, row.name);
    }
    for (const { kind, name, thingId, setName } of items)
      if (setName === set) this.found.set(`${kind} ${thingId}`, name);
  }

  of(field: string, value: unknown): unknown {
    if (field === 'depends_on' && value) {
      const dependency = value as DependencyFields; // the field holds nothing else
      return { ...dependency, trigger: this.name('trigger', dependency.trigger) };
    }
    if (!Array.isArray(value)) return value;
    if (field === 'notifications') {
      return value.map(({ notification, after }) => ({
        name: this.name('notification', notification),
        ...(after > 0 && { after }),
      }));
    }
    const kind = { sensors: 'sensor', triggers: 'trigger' }[field];
    return kind === undefined ? value : value.map((id) => this.name(kind, id));
  }

  private name(kind: string, id: unknown): string {
    return this.found.get(`${kind} ${id}`) ?? String(id);
  }
}
