import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../../api';
import { formatDate } from '../../format';
import { t } from '../../language';
import { CopyButton, NewSecret } from '../../ui/copy';
import { DeleteButton, DialogButton } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { Table } from '../../ui/table';
import { useResource } from '../../use-resource';

type Application = Records['ApplicationView'];

/** The applications that the user has registered; empty if there are none. */
export function OwnApplications() {
  const applications = useResource('applications', () =>
    all(async (query) => (await ask(api.get('/oauth/applications', { params: { query } }))).applications),
  );
  if (!applications.data || applications.data.length === 0) return null;
  return (
    <>
      <h3>{t('Registered by you')}</h3>
      <Table<Application>
        caption={t('Applications that you have registered')}
        rows={applications.data}
        keyOf={({ id }) => id}
        columns={[
          {
            name: t('Application'),
            cell: ({ name, consumer_key: key }) => (
              <div>
                <strong>{name}</strong>
                <div class="line small quiet">
                  <code class="breakable">{key}</code>
                  <CopyButton text={key} label={t('Copy the id of {name}', { name })} />
                </div>
              </div>
            ),
          },
          { name: t('Since'), cell: ({ created }) => formatDate(created) },
          {
            name: t('Actions'),
            right: true,
            cell: (one) => <Buttons application={one} reload={applications.reload} />,
          },
        ]}
      />
    </>
  );
}

function Buttons({ application: { id, name }, reload }: { application: Application; reload: () => void }) {
  const path = { id };
  return (
    <div class="actions">
      <DialogButton
        text={t('New secret')}
        title={t('New secret for {name}', { name })}
        kind="small-button"
        label={t('New secret for {name}', { name })}
      >
        {(close) => <Rotate id={id} close={close} />}
      </DialogButton>
      <DeleteButton
        name={name}
        consequence={t('It loses access to the accounts of everyone who allowed it, at once.')}
        act={async () => {
          await ask(api.delete('/oauth/applications/{id}', { params: { path } }));
          reload();
        }}
      />
    </div>
  );
}

function Rotate({ id, close }: { id: string; close: () => void }) {
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) {
    return <NewSecret secret={secret} label={t('Copy the secret')} close={close} />;
  }
  return (
    <Form
      label={t('Create a new secret')}
      onCancel={close}
      submit={async () => {
        const { application } = await ask(api.post('/oauth/applications/{id}/rotate', { params: { path: { id } } }));
        setSecret(application.consumer_secret ?? '');
      }}
    >
      <p>{t('The present secret stops working at once. What users have allowed stays valid.')}</p>
    </Form>
  );
}
