import { type DependencyProblem, dependencyProblem, leftOutWarning, MAX_DEPTH } from '../rules/dependency';
import type { Desired } from './desired-rules';
import type { DependencyFields, Reference } from './entry-fields';
import type { Present } from './present-rules';
import type { RuleSet } from './read-rule-set';

type Entry = Desired['triggers'][number];

/** The trigger that an entry depends on; undefined if there is none. */
export function parentOf({ after }: Pick<Entry, 'after'>): Reference | undefined {
  return (after.depends_on as DependencyFields | null)?.trigger; // the field holds nothing else
}

/** For tests and effects of these triggers, which leave dependencies out. */
export function leftOutOf(
  present: Present,
  { triggers }: Pick<Desired, 'triggers'>,
  tried: ReadonlySet<string>,
): string | undefined {
  const nameOf = (parent: Reference) =>
    typeof parent === 'string' ? parent : (present.things.trigger.get(parent)?.row.name ?? String(parent));
  return leftOutWarning(
    triggers.flatMap((entry) => {
      const parent = parentOf(entry);
      return parent === undefined || !tried.has(entry.name) ? [] : [{ child: entry.name, parent: nameOf(parent) }];
    }),
  );
}

/** Throws the mistake of a cycle, or of too many triggers in a row. What the set only names counts as it is. */
export function requireNoCycle(set: RuleSet, present: Present, entries: readonly Entry[]): void {
  const ids = new Map(entries.map(({ name, thing }, index) => [name, thing?.row.id ?? -1 - index]));
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const parents = new Map<number, number>();
  for (const { row } of present.things.trigger.values()) {
    const isEntry = names.has(row.id);
    if (!isEntry && 'parentId' in row && row.parentId !== null) parents.set(row.id, row.parentId);
  }
  for (const entry of entries) {
    const parent = parentOf(entry);
    if (parent === undefined) continue;
    const id = Number(ids.get(entry.name));
    const parentId = typeof parent === 'number' ? parent : Number(ids.get(parent));
    const problem = dependencyProblem(parents, id, parentId);
    if (problem) throw set.text.mistake(`${entry.path}.depends_on`, whyNot(problem, names));
    parents.set(id, parentId);
  }
}

function whyNot(problem: DependencyProblem, names: ReadonlyMap<number, string>): string {
  if (problem.kind === 'too-deep') return `makes more than ${MAX_DEPTH} triggers in a row depend on each other`;
  const chain = problem.chain.map((one) => names.get(one) ?? String(one));
  return `makes triggers depend on each other in a cycle: ${chain.join(' → ')}`;
}

/** In the order in which they can be applied: each after the one that it depends on. */
export function parentsFirst(entries: readonly Entry[]): Entry[] {
  const known = new Map<Reference, Entry>();
  for (const entry of entries) known.set(entry.thing?.row.id ?? entry.name, entry);
  const depthOf = (entry: Entry): number => {
    const parent = known.get(parentOf(entry) ?? '');
    return parent ? 1 + depthOf(parent) : 0;
  };
  return [...entries].sort((a, b) => depthOf(a) - depthOf(b));
}
