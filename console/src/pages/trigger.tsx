import { api, ask, sentence } from '../api';
import { formatMany } from '../format';
import { go } from '../router';
import { DangerButton } from '../ui/dialog';
import { Loaded, Page } from '../ui/page';
import { useResource } from '../use-resource';
import { Editor } from './trigger/editor';
import { loadTrigger, NOTHING } from './trigger/load';
import { NO_RULE } from './trigger/rule';

/** The editor of a trigger; `new` for one that is not saved yet. */
export function TriggerPage({ id }: { id: string }) {
  const isNew = id === 'new';
  const trigger = useResource(`trigger ${id}`, async (signal) =>
    isNew ? { rule: NO_RULE, connections: NOTHING, selected: 0, warning: undefined } : loadTrigger(id, signal),
  );
  const remove = async () => {
    await ask(api.delete('/triggers/{id}', { params: { path: { id } } }));
    go('/triggers');
  };
  return (
    <Page
      title={isNew ? 'New trigger' : (trigger.data?.rule.name ?? 'Trigger')}
      crumb={{ path: '/triggers', name: 'Triggers' }}
      actions={
        !isNew &&
        trigger.data && (
          <DangerButton
            text="Delete"
            title={`Delete ${trigger.data.rule.name}?`}
            consequence="It stops watching all its sensors at once, and its history goes with it."
            act={remove}
          />
        )
      }
    >
      <Loaded resource={trigger}>
        {({ warning, selected, ...found }) => (
          <>
            {warning && (
              <p class="message warn" role="status">
                {sentence(warning)}
              </p>
            )}
            {selected > 0 && (
              <p class="quiet">
                Its selector connects it to {formatMany(selected, 'sensor')}, in addition to the sensors that are chosen
                here.
              </p>
            )}
            <Editor key={id} id={isNew ? undefined : id} {...found} onSaved={trigger.reload} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
