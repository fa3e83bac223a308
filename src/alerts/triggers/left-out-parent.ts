import { Trigger } from '../../storage/models/trigger.model';
import { leftOutWarning } from '../rules/dependency';

/** A rule with its name, and the trigger of its owner that it depends on. */
export type Child = Pick<Trigger, 'name' | 'parentId'>;

/** For an answer that leaves out what these rules depend on; undefined if that is nothing. */
export async function leftOutParentWarning(children: readonly Child[]): Promise<string | undefined> {
  const ids = children.flatMap(({ parentId }) => parentId ?? []);
  if (ids.length === 0) return undefined;
  const parents = await Trigger.findAll({ where: { id: ids }, attributes: ['id', 'name'] });
  const pairs = children.flatMap(({ name, parentId }) => {
    const parent = parents.find(({ id }) => id === parentId);
    return parent ? [[name, parent.name] as const] : [];
  });
  const different = new Map(pairs.map((pair) => [pair.join('\n'), pair]));
  return leftOutWarning([...different.values()].map(([child, parent]) => ({ child, parent })));
}
