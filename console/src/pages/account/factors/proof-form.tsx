import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Records, ROOT } from '../../../api';
import { IDENTITY_PROVIDER } from '../../../identity-provider';
import { t } from '../../../language';
import { digestOf } from '../../../session';
import { DialogButton } from '../../../ui/dialog';
import { Field, Form } from '../../../ui/form';

/** What proves that the user of the session changes their factors. */
export type Proof = Records['ProofRequest'];

/** Removes a factor, for a proof. */
export function Remove({
  name,
  hasPassword,
  act,
}: {
  name: string;
  hasPassword: boolean;
  act: (proof: Proof) => Promise<void>;
}) {
  return (
    <DialogButton
      text={t('Remove')}
      title={t('Remove {name}?', { name })}
      label={t('Remove {name}', { name })}
      kind="danger small-button"
    >
      {(close) => (
        <ProofForm
          label={t('Remove')}
          hasPassword={hasPassword}
          onCancel={close}
          submit={async (proof) => {
            await act(proof);
            close();
          }}
        />
      )}
    </DialogButton>
  );
}

/** Signs in at the provider, and comes back. */
export function SignInAgain() {
  if (!IDENTITY_PROVIDER) return null;
  return (
    <a class="small" href={`${ROOT}login/oidc?return_to=${encodeURIComponent('/console/account/security')}`}>
      {t('Sign in again with {provider}', { provider: IDENTITY_PROVIDER })}
    </a>
  );
}

/** Asks for the password, or for a code of a user who has none at hand. Without a password, a recent sign-in is enough. */
export function ProofForm({
  label,
  hasPassword,
  onCancel,
  submit,
  children,
}: {
  label: string;
  hasPassword: boolean;
  onCancel?: () => void;
  submit: (proof: Proof) => Promise<void>;
  children?: ComponentChildren;
}) {
  const [text, setText] = useState('');
  const [byCode, setByCode] = useState(false);
  return (
    <Form
      label={label}
      onCancel={onCancel}
      submit={() => submit(byCode ? { otp: text } : hasPassword ? { current_password: digestOf(text) } : {})}
    >
      {children}
      {byCode || hasPassword ? (
        <Field
          label={byCode ? t('Code, or a recovery code') : t('Current password')}
          type={byCode ? 'text' : 'password'}
          autocomplete={byCode ? 'one-time-code' : 'current-password'}
          value={text}
          onValue={setText}
          required
        />
      ) : (
        <>
          <p>{t('This account has no password: a sign-in within the last ten minutes proves that it is you.')}</p>
          <SignInAgain />
        </>
      )}
      <p class="small">
        <button
          type="button"
          class="link"
          onClick={() => {
            setByCode(!byCode);
            setText('');
          }}
        >
          {!byCode ? t('Use a code instead') : hasPassword ? t('Use the password') : t('Without a code')}
        </button>
      </p>
    </Form>
  );
}
