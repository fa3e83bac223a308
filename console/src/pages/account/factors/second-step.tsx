import { useState } from 'preact/hooks';
import { t } from '../../../language';
import { signIn } from '../../../session';
import { Field, Form } from '../../../ui/form';
import { HAS_PASSKEYS, signInByPasskey } from './passkey';

/** After the right password of an account with a second factor. */
export function SecondStep({ username, password }: { username: string; password: string }) {
  const [otp, setOtp] = useState('');
  return (
    <Form label={t('Sign in')} submit={() => signIn(username, password, otp)}>
      <Field
        label={t('Code, or a recovery code')}
        value={otp}
        onValue={setOtp}
        autocomplete="one-time-code"
        hint={t('Your account has a second factor: the code is in your authenticator app.')}
        required
      />
    </Form>
  );
}

/** Signs in without the password. */
export function PasskeySignIn() {
  if (!HAS_PASSKEYS)
    return <p class="quiet">{t('This browser has no passkeys, or the page is not served by HTTPS.')}</p>;
  return (
    <Form label={t('Continue')} submit={signInByPasskey}>
      <p>{t('Your browser asks which passkey you use.')}</p>
    </Form>
  );
}
