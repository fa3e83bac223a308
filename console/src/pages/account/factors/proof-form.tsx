import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Records } from '../../../api';
import { t } from '../../../language';
import { digestOf } from '../../../session';
import { DialogButton } from '../../../ui/dialog';
import { Field, Form } from '../../../ui/form';

/** What proves that the user of the session changes their factors. */
export type Proof = Records['ProofRequest'];

/** Removes a factor, for a proof. */
export function Remove({ name, act }: { name: string; act: (proof: Proof) => Promise<void> }) {
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

/** Asks for the password, or for a code of a user who has none at hand. */
export function ProofForm({
  label,
  onCancel,
  submit,
  children,
}: {
  label: string;
  onCancel: () => void;
  submit: (proof: Proof) => Promise<void>;
  children?: ComponentChildren;
}) {
  const [text, setText] = useState('');
  const [byCode, setByCode] = useState(false);
  return (
    <Form
      label={label}
      onCancel={onCancel}
      submit={() => submit(byCode ? { otp: text } : { current_password: digestOf(text) })}
    >
      {children}
      <Field
        label={byCode ? t('Code, or a recovery code') : t('Current password')}
        type={byCode ? 'text' : 'password'}
        autocomplete={byCode ? 'one-time-code' : 'current-password'}
        value={text}
        onValue={setText}
        required
      />
      <button
        type="button"
        class="link small"
        onClick={() => {
          setByCode(!byCode);
          setText('');
        }}
      >
        {byCode ? t('Use the password') : t('Use a code instead')}
      </button>
    </Form>
  );
}
