import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { t } from '../../language';
import { href } from '../../router';
import { tagText } from '../../search/query';
import { Action } from '../../ui/action';
import { Field, Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { useResource } from '../../use-resource';

/** The metatags of a sensor, which searches use. */
export function Metatags({ sensor: { id, owner } }: { sensor: Records['OwnedSensorView'] }) {
  const [text, setText] = useState('');
  const tags = useResource(`metatags ${id}`, async (signal) => {
    const { metatags } = await ask(api.get('/sensors/{id}/metatags', { params: { path: { id } }, signal }));
    return Object.entries(metatags) as Tag[]; // each name has a list of values
  });
  const set = async (name: string, values: readonly unknown[]) => {
    const body = { metatags: { [name]: values } };
    await ask(api.post('/sensors/{id}/metatags', { params: { path: { id } }, body: body as never })); // any names
    tags.reload();
  };
  const add = async () => {
    const found = /^\s*([^:]+?)\s*:\s*(.+?)\s*$/.exec(text);
    if (!found?.[1] || !found[2]) throw new Error(t('Enter a name and a value, such as room:kitchen.'));
    const known = tags.data?.find(([name]) => name === found[1])?.[1] ?? [];
    await set(found[1], [...known, found[2]]);
    setText('');
  };
  return (
    <div class="stack">
      <Loaded resource={tags}>
        {(list) =>
          list.length === 0 ? (
            <p class="quiet">{t('No metatags.')}</p>
          ) : (
            <Tags list={list} set={owner ? undefined : set} />
          )
        }
      </Loaded>
      {!owner && (
        <Form label={t('Add')} submit={add} kind="">
          <Field label={t('New metatag')} placeholder="room:kitchen" value={text} onValue={setText} required />
        </Form>
      )}
    </div>
  );
}

type Tag = [name: string, values: (string | number | boolean)[]];

/** Each value links to the sensors that have it; without `set` none can be removed. */
function Tags({
  list,
  set,
}: {
  list: readonly Tag[];
  set: ((name: string, values: readonly unknown[]) => Promise<void>) | undefined;
}) {
  const without = (values: Tag[1], value: unknown) => values.filter((one) => one !== value);
  return (
    <ul class="stack tight">
      {list.flatMap(([name, values]) =>
        values.map((value) => (
          <li key={`${name}:${value}`} class="line spread">
            <a class="tag" href={href(`/sensors?q=${encodeURIComponent(tagText(name, String(value)))}`)}>
              {name}: {String(value)}
            </a>
            {set && (
              <Action
                kind="quiet-button small-button"
                label={t('Remove {name}', { name: `${name}: ${value}` })}
                act={() => set(name, without(values, value))}
              >
                {t('Remove')}
              </Action>
            )}
          </li>
        )),
      )}
    </ul>
  );
}
