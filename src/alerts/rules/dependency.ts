/** The trigger whose open episodes hold the deliveries of another one. */
export interface Dependency {
  triggerId: number;
  /** The metatag, in the namespace `default`, whose value both sensors have; null for the same sensor. */
  label: string | null;
  /** Seconds for which deliveries wait for that trigger to fire. */
  waitS: number;
}

/** Columns of a trigger that hold its dependency. */
export const DEPENDENCY_COLUMNS = ['parentId', 'parentLabel', 'parentWaitS'] as const;

export interface DependencyColumns {
  parentId: number | null;
  parentLabel: string | null;
  parentWaitS: number;
}

export function dependencyOf({ parentId, parentLabel, parentWaitS }: DependencyColumns): Dependency | null {
  return parentId === null ? null : { triggerId: parentId, label: parentLabel, waitS: parentWaitS };
}

export function dependencyColumns(dependency: Dependency | null): DependencyColumns {
  const { triggerId = null, label = null, waitS = 0 } = dependency ?? {};
  return { parentId: triggerId, parentLabel: label, parentWaitS: waitS };
}

/** `child` depends on `parent`: their names. */
export interface NamedDependency {
  child: string;
  parent: string;
}

const MOST_NAMED = 5;

/** For an answer that leaves dependencies out; undefined without one. */
export function leftOutWarning(dependencies: readonly NamedDependency[]): string | undefined {
  if (dependencies.length === 0) return undefined;
  const named = dependencies.slice(0, MOST_NAMED).map(({ child, parent }) => `"${child}" → "${parent}"`);
  const more = dependencies.length > MOST_NAMED ? ', …' : '';
  return `dependencies are left out, so what they would hold counts as delivered: ${named.join(', ')}${more}`;
}

/** Dependencies in a row. */
export const MAX_DEPTH = 5;

/** Why a trigger may not depend on another one. A chain begins and ends with the trigger. */
export type DependencyProblem = { kind: 'cycle'; chain: readonly number[] } | { kind: 'too-deep' };

/** `parents`: the present dependencies of all triggers of the owner, by trigger. Null if the new one is possible. */
export function dependencyProblem(
  parents: ReadonlyMap<number, number>,
  id: number,
  parentId: number,
): DependencyProblem | null {
  const above = chainFrom(parents, parentId, id);
  if (above.includes(id)) return { kind: 'cycle', chain: [id, ...above] };
  let below = 0;
  for (const child of parents.keys()) below = Math.max(below, chainFrom(parents, child, id).indexOf(id));
  return above.length + below > MAX_DEPTH ? { kind: 'too-deep' } : null;
}

/** The trigger and those that it depends on, until `endId`. Ends where a cycle would begin again. */
function chainFrom(parents: ReadonlyMap<number, number>, fromId: number, endId: number): number[] {
  const chain: number[] = [];
  for (let id: number | undefined = fromId; id !== undefined && !chain.includes(id); id = parents.get(id)) {
    chain.push(id);
    if (id === endId) break;
  }
  return chain;
}
