import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { t } from '../../language';
import { href } from '../../router';
import { tagText } from '../../search/query';
import { Action } from '../../ui/action';
import { Field, Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { useResource } from '../../use-resource';
import { DEFAULT, loadTags, type Tag } from './labels';

/** The metatags of a sensor in all namespaces, which searches use. */
export function Metatags({ sensor: { id, owner } }: { sensor: Records['OwnedSensorView'] }) {
  const [text, setText] = useState('');
  const tags = useResource(`metatags ${id}`, (signal) => loadTags(id, signal));
  const set = async ({ namespace, name }: Pick<Tag, 'namespace' | 'name'>, values: readonly unknown[]) => {
    const body = { metatags: { [name]: values } };
    const params = { path: { id }, query: { namespace } };
    await ask(api.post('/sensors/{id}/metatags', { params, body: body as never })); // any names
    tags.reload();
  };
  const add = async () => {
    const [, name, value] = /^\s*([^:]+?)\s*:\s*(.+?)\s*$/.exec(text) ?? [];
    if (!name || !value) throw new Error(t('Enter a name and a value, such as room:kitchen.'));
    const known = tags.data?.find((one) => one.namespace === DEFAULT && one.name === name)?.values ?? [];
    await set({ namespace: DEFAULT, name }, [...known, value]);
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

/** Each value links to the sensors that have it; without `set` none can be removed. */
function Tags({
  list,
  set,
}: {
  list: readonly Tag[];
  set: ((tag: Tag, values: readonly unknown[]) => Promise<void>) | undefined;
}) {
  return (
    <ul class="stack tight">
      {list.flatMap((tag) => {
        const name = tag.namespace === DEFAULT ? tag.name : `${tag.namespace}:${tag.name}`;
        return tag.values.map((value) => (
          <li key={`${name}:${value}`} class="line spread">
            <a class="tag breakable" href={href(`/sensors?q=${encodeURIComponent(tagText(name, String(value)))}`)}>
              {name}: {String(value)}
            </a>
            {set && (
              <Action
                kind="quiet-button small-button"
                label={t('Remove {name}', { name: `${name}: ${value}` })}
                act={() =>
                  set(
                    tag,
                    tag.values.filter((one) => one !== value),
                  )
                }
              >
                {t('Remove')}
              </Action>
            )}
          </li>
        ));
      })}
    </ul>
  );
}
