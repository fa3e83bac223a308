import { useState } from 'preact/hooks';
import { ApiError, all, api, ask, type Records } from '../../api';
import { formatAge, formatDate } from '../../format';
import { leaveTo } from '../../identity-provider';
import { t } from '../../language';
import { DangerButton } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { Table } from '../../ui/table';
import { useResource } from '../../use-resource';
import { type Proof, ProofForm } from './factors/proof-form';

type Identity = Records['IdentityView'];

/** The user's identities at the provider, and the way to link another one. */
export function Identities() {
  const identities = useResource('identities', () =>
    all(async (query) => (await ask(api.get('/identities', { params: { query } }))).identities),
  );
  return (
    <Loaded resource={identities}>
      {(list) => (
        <div class="stack">
          {list.length > 0 && <List identities={list} reload={identities.reload} />}
          <Link />
        </div>
      )}
    </Loaded>
  );
}

function List({ identities, reload }: { identities: readonly Identity[]; reload: () => void }) {
  return (
    <Table<Identity>
      caption={t('Linked identities')}
      rows={identities}
      keyOf={({ id }) => id}
      columns={[
        { name: t('Name'), cell: ({ name, subject }) => <span title={subject}>{name}</span> },
        { name: t('Created'), cell: ({ created }) => formatDate(created) },
        { name: t('Used'), cell: ({ last_used: used }) => (used === null ? t('never') : formatAge(used)) },
        {
          name: t('Actions'),
          right: true,
          cell: ({ id, name }) => (
            <DangerButton
              text={t('Remove')}
              kind="danger small-button"
              label={t('Remove {name}', { name })}
              title={t('Remove {name}?', { name })}
              consequence={t('The sessions that it opened end, except this one.')}
              act={async () => {
                await ask(api.delete('/identities/{id}', { params: { path: { id } } }));
                reload();
              }}
            />
          ),
        },
      ]}
    />
  );
}

/** Asks for a proof only if the session is too old, or the account has a second factor. */
function Link() {
  const [asks, setAsks] = useState<'password_required' | 'login_required'>();
  const link = async (proof: Proof) => leaveTo((await ask(api.post('/login/oidc/link', { body: proof }))).location);
  const label = t('Link an identity');
  if (asks) return <ProofForm label={label} hasPassword={asks === 'password_required'} submit={link} />;
  const submit = async () => {
    try {
      await link({});
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 'password_required' && error.code !== 'login_required') throw error;
      setAsks(error.code);
    }
  };
  return (
    <Form label={label} kind="" submit={submit}>
      {null}
    </Form>
  );
}
