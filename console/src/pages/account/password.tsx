import { useState } from 'preact/hooks';
import { api, ask } from '../../api';
import { t } from '../../language';
import { digestOf, newDigestOf, PASSWORD_RULE } from '../../session';
import { Check, Field, Form } from '../../ui/form';
import { say } from '../../ui/toast';

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
      <Field
        label={t('New password')}
        type="password"
        value={next}
        onValue={setNext}
        autocomplete="new-password"
        hint={`${t(PASSWORD_RULE)} ${t('You will be signed out everywhere else.')}`}
        required
      />
      <Check
        label={t('End all other access to my account, too')}
        checked={everything}
        onChecked={setEverything}
        hint={t(
          'Choose this if someone else may have used your account. It ends all keys, the access of all applications, and the secrets of your own applications.',
        )}
      />
    </Form>
  );
}

function outcome(everything: boolean, othersStay: boolean): string {
  if (everything) return t('The password is changed. All other sessions, keys and permissions have ended.');
  if (!othersStay) return t('The password is changed. All other sessions have ended.');
  return t(
    'The password is changed. All other sessions have ended. Keys and applications keep their access until you end it.',
  );
}
