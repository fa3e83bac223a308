import { many } from '../language';
import { href } from '../router';
import type { Names } from './names';

/** A warning about triggers without a notification, with a link to them. Shows nothing if there are none. */
export function Unheard({ ids, names }: { ids: readonly string[]; names: Names }) {
  const [first] = ids;
  if (first === undefined) return null;
  return (
    <a class="small" href={href(ids.length === 1 ? `/triggers/${first}` : '/triggers')}>
      {many(ids.length, '“{name}” notifies nobody', '{n} triggers notify nobody', {
        name: names.triggers.get(first) ?? '',
      })}
    </a>
  );
}
