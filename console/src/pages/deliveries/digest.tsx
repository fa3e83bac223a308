import { useState } from 'preact/hooks';
import { all, api, ask } from '../../api';
import { t } from '../../language';
import { href } from '../../router';
import { Loaded } from '../../ui/page';
import { useResource } from '../../use-resource';
import { summaryOf } from './summary';

/** The alerts of a digest, loaded once it is unfolded. */
export function Digest({ id, summary, isOpen = false }: { id: string; summary: string; isOpen?: boolean }) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details class="small" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {open && <Held id={id} />}
    </details>
  );
}

function Held({ id }: { id: string }) {
  const held = useResource(`digest ${id}`, () =>
    all(
      async (query) =>
        (await ask(api.get('/deliveries', { params: { query: { ...query, digest_id: id } } }))).deliveries,
    ),
  );
  return (
    <Loaded resource={held}>
      {(list) => (
        <ul class="digest">
          {list.map((one) => (
            <li key={one.id}>
              <a href={href(`/deliveries/${one.id}`)}>{summaryOf(one) || t('alert')}</a>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
