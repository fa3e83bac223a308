import { useState } from 'preact/hooks';
import { api, ask } from '../../../api';
import { t } from '../../../language';
import { digestOf, newDigestOf, PASSWORD_RULE, useUser } from '../../../session';
import { Check, Field, Form } from '../../../ui/form';
import { say } from '../../../ui/toast';
import { SignInAgain } from './proof-form';

/** Changes the password, and ends other sessions, or all other access to the account. */
export function Password() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [everything, setEverything] = useState(false);
  const submit = async () => {
    const passwords = { current_password: digestOf(current), new_password: newDigestOf(next) };
    const { warning } = await ask(api.post('/change_password', { body: { ...passwords, end_everything: everything } }));
    setCurrent('');
    setNext('');
    setEverything(false);
    say(outcome(everything, warning !== undefined));
  };
  return (
    <Form label={t('Change the password')} kind="" submit={submit}>
      <Field
        label={t('Current password')}
        type="password"
        value={current}
        onValue={setCurrent}
        autocomplete="current-password"
        required
      />
      <NewPassword value={next} onValue={setNext} />
      <Check
        label={t('End all other access to my account, too')}
        checked={everything}
        onChecked={setEverything}
        hint={t(
          'Choose this if someone else may have used your account. It ends all keys, the access of all applications, the secrets of your own applications, and the links to your identities.',
        )}
      />
    </Form>
  );
}

/** For an account that a provider opened. */
export function FirstPassword({ onDone }: { onDone: () => void }) {
  const { id } = useUser();
  const [next, setNext] = useState('');
  const submit = async () => {
    const user = { password: newDigestOf(next) };
    await ask(api.put('/users/{id}', { params: { path: { id } }, body: { user } }));
    say(outcome(false, false));
    onDone();
  };
  return (
    <Form label={t('Choose a password')} kind="" submit={submit}>
      <p>{t('This account has no password. With one, you can sign in by it as well.')}</p>
      <NewPassword value={next} onValue={setNext} />
      <SignInAgain />
    </Form>
  );
}

function NewPassword({ value, onValue }: { value: string; onValue: (password: string) => void }) {
  return (
    <Field
      label={t('New password')}
      type="password"
      value={value}
      onValue={onValue}
      autocomplete="new-password"
      hint={`${t(PASSWORD_RULE)} ${t('You will be signed out everywhere else.')}`}
      required
    />
  );
}

function outcome(everything: boolean, othersStay: boolean): string {
  if (everything) return t('The password is changed. All other sessions, keys and permissions have ended.');
  if (!othersStay) return t('The password is changed. All other sessions have ended.');
  return t(
    'The password is changed. All other sessions have ended. Keys and applications keep their access until you end it.',
  );
}
