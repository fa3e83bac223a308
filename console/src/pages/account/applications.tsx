import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../../api';
import { formatDate } from '../../format';
import { CopyButton } from '../../ui/copy';
import { DangerButton, DialogButton } from '../../ui/dialog';
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
      <h3>Registered by you</h3>
      <Table<Application>
        caption="Applications that you have registered"
        rows={applications.data}
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Application',
            cell: ({ name, consumer_key: key }) => (
              <div>
                <strong>{name}</strong>
                <div class="small quiet breakable">
                  <code>{key}</code>
                </div>
              </div>
            ),
          },
          { name: 'Since', cell: ({ created }) => formatDate(created) },
          {
            name: 'Actions',
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
        text="New secret"
        title={`A new secret for ${name}`}
        kind="small-button"
        label={`New secret for ${name}`}
      >
        {(close) => <Rotate id={id} close={close} />}
      </DialogButton>
      <DangerButton
        text="Delete"
        kind="danger small-button"
        label={`Delete ${name}`}
        title={`Delete ${name}?`}
        consequence="Everybody who allowed it is rid of it at once."
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
    return (
      <>
        <p>Copy this secret now. You will not see it again.</p>
        <code class="secret">{secret}</code>
        <div class="actions">
          <CopyButton text={secret} label="Copy the secret" />
        </div>
      </>
    );
  }
  return (
    <Form
      label="Make a new secret"
      onCancel={close}
      submit={async () => {
        const { application } = await ask(api.post('/oauth/applications/{id}/rotate', { params: { path: { id } } }));
        setSecret(application.consumer_secret ?? 'This application has none.');
      }}
    >
      <p>The one it has now stops working at once; what users have allowed goes on.</p>
    </Form>
  );
}
