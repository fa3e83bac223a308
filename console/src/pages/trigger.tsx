import { api, ask, sentence } from '../api';
import { t } from '../language';
import { go } from '../router';
import { DangerButton } from '../ui/dialog';
import { Loaded, Page } from '../ui/page';
import { useResource } from '../use-resource';
import { Editor } from './trigger/editor';
import { type Loaded as LoadedTrigger, loadTrigger, NEW } from './trigger/load';

/** The editor of a trigger; `new` for one that is not saved yet. */
export function TriggerPage({ id }: { id: string }) {
  const isNew = id === 'new';
  const trigger = useResource<LoadedTrigger>(`trigger ${id}`, async (signal) =>
    isNew ? NEW : loadTrigger(id, signal),
  );
  const remove = async () => {
    await ask(api.delete('/triggers/{id}', { params: { path: { id } } }));
    go('/triggers');
  };
  return (
    <Page
      title={isNew ? t('New trigger') : (trigger.data?.rule.name ?? t('Trigger'))}
      crumb={{ path: '/triggers', name: t('Triggers') }}
      lead={
        !isNew &&
        trigger.data?.connections.steps.length === 0 && <a href="#reports">{t('This trigger notifies nobody')}</a>
      }
      actions={
        !isNew &&
        trigger.data && (
          <DangerButton
            text={t('Delete')}
            title={t('Delete {name}?', { name: trigger.data.rule.name })}
            consequence={t('It stops watching all its sensors, and its history is deleted. This cannot be undone.')}
            act={remove}
          />
        )
      }
    >
      <Loaded resource={trigger}>
        {(found) => (
          <>
            {found.warning && (
              <p class="message warn" role="status">
                {sentence(found.warning)}
              </p>
            )}
            <Editor key={id} id={isNew ? undefined : id} stored={found} onSaved={trigger.reload} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
