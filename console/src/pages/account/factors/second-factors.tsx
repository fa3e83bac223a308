import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../../api';
import { formatAge, formatDate } from '../../../format';
import { many, t } from '../../../language';
import { DialogButton } from '../../../ui/dialog';
import { Table } from '../../../ui/table';
import { NewApp, NewCodes, NewPasskey } from './new-factors';
import { HAS_PASSKEYS } from './passkey';
import { type Proof, ProofForm, Remove } from './proof-form';

type Factors = Records['SecondFactorsResponse'];
type Passkey = Records['PasskeyView'];

interface Parts {
  factors: Factors;
  reload: () => void;
}

/** What signing in asks for besides the password, or instead of it. */
export function SecondFactors(parts: Parts) {
  const { totp, passkeys } = parts.factors;
  return (
    <div class="stack">
      <App {...parts} />
      <Passkeys {...parts} />
      {(totp || passkeys.length > 0) && <Codes {...parts} />}
    </div>
  );
}

function App({ factors: { totp, password }, reload }: Parts) {
  if (!totp) {
    return (
      <div>
        <DialogButton text={t('Set up an authenticator app')} title={t('Authenticator app')}>
          {(close) => <NewApp hasPassword={password} close={close} onDone={reload} />}
        </DialogButton>
      </div>
    );
  }
  return (
    <div class="line spread">
      <span>
        <strong>{t('Authenticator app')}</strong>{' '}
        <span class="small quiet">
          {t('since {date}, used {age}', { date: formatDate(totp.created), age: formatAge(totp.last_used) })}
        </span>
      </span>
      <Remove
        name={t('Authenticator app')}
        hasPassword={password}
        act={async (proof) => {
          await ask(api.post('/second_factors/totp/remove', { body: proof }));
          reload();
        }}
      />
    </div>
  );
}

function Passkeys({ factors: { passkeys, password }, reload }: Parts) {
  const remove = (id: string) => async (proof: Proof) => {
    await ask(api.post('/passkeys/{id}/remove', { params: { path: { id } }, body: proof }));
    reload();
  };
  return (
    <>
      {passkeys.length > 0 && (
        <Table<Passkey>
          caption={t('Passkeys')}
          rows={passkeys}
          keyOf={({ id }) => id}
          columns={[
            { name: t('Passkey'), cell: ({ name }) => <strong>{name}</strong> },
            { name: t('Added'), cell: ({ created }) => formatDate(created) },
            { name: t('Used'), cell: ({ last_used: used }) => (used === null ? t('never') : formatAge(used)) },
            {
              name: t('Actions'),
              right: true,
              cell: ({ id, name }) => <Remove name={name} hasPassword={password} act={remove(id)} />,
            },
          ]}
        />
      )}
      {HAS_PASSKEYS && (
        <div>
          <DialogButton text={t('Add a passkey')} title={t('Add a passkey')}>
            {(close) => <NewPasskey hasPassword={password} close={close} onDone={reload} />}
          </DialogButton>
        </div>
      )}
    </>
  );
}

function Codes({ factors, reload }: Parts) {
  const [codes, setCodes] = useState<readonly string[]>();
  const close = (done: () => void) => () => {
    setCodes(undefined);
    done();
    reload();
  };
  return (
    <div class="line spread">
      <span>{many(factors.recovery_codes, '{n} recovery code is left', '{n} recovery codes are left')}</span>
      <DialogButton text={t('Make new recovery codes')} title={t('Recovery codes')} kind="small-button">
        {(done) =>
          codes ? (
            <NewCodes codes={codes} close={close(done)} />
          ) : (
            <ProofForm
              label={t('Make new recovery codes')}
              hasPassword={factors.password}
              onCancel={done}
              submit={async (proof) => {
                const made = await ask(api.post('/second_factors/recovery_codes', { body: proof }));
                setCodes(made.recovery_codes);
              }}
            >
              <p>{t('The earlier codes end.')}</p>
            </ProofForm>
          )
        }
      </DialogButton>
    </div>
  );
}
