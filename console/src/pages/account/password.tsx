import { useState } from 'preact/hooks';
import { api, ask } from '../../api';
import { digestOf, newDigestOf, PASSWORD_RULE } from '../../session';
import { Check, Field, Form } from '../../ui/form';
import { say } from '../../ui/toast';

/** Changes the password, and ends other sessions, or all other access to the account. */
export function Password({ onDone }: { onDone: () => void }) {
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
    onDone();
  };
  return (
    <Form label="Change the password" kind="" submit={submit}>
      <Field
        label="Current password"
        type="password"
        value={current}
        onValue={setCurrent}
        autocomplete="current-password"
        required
      />
      <Field
        label="New password"
        type="password"
        value={next}
        onValue={setNext}
        autocomplete="new-password"
        hint={`${PASSWORD_RULE} You will be signed out everywhere else.`}
        required
      />
      <Check
        label="End everything else that may use my account, too"
        checked={everything}
        onChecked={setEverything}
        hint="For when somebody else may have been in your account: all keys, all permissions of applications, and the secrets of your own services. Without it they go on."
      />
    </Form>
  );
}

function outcome(everything: boolean, othersStay: boolean): string {
  if (everything) return 'The password is changed. All other sessions, keys and permissions have ended.';
  if (!othersStay) return 'The password is changed. All other sessions have ended.';
  return 'The password is changed. All other sessions have ended; keys and applications go on, until you end them above.';
}
