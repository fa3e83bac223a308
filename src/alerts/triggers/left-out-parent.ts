import { Trigger } from '../../storage/models/trigger.model';
import { leftOutWarning } from '../rules/dependency';

type Child = Pick<Trigger, 'name' | 'parentId'>;

/** For an answer that leaves out what the trigger depends on; undefined if that is nothing. */
export async function leftOutParentWarning(trigger: Child | undefined): Promise<string | undefined> {
  if (!trigger?.parentId) return undefined;
  const parent = await Trigger.findByPk(trigger.parentId, { attributes: ['name'] });
  return leftOutWarning(parent ? [{ child: trigger.name, parent: parent.name }] : []);
}
