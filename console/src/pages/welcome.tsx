import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, api, ask, ROOT } from '../api';
import { IDENTITY_PROVIDER } from '../identity-provider';
import { type PlainText, t } from '../language';
import { usePlace } from '../router';
import { hasSessionEnded, PASSWORD_RULE, register, signIn } from '../session';
import { Field, Form } from '../ui/form';
import { PasskeySignIn, SecondStep } from './forms';

type Mode = 'sign in' | 'register' | 'forgotten' | 'passkey';

/** The page for visitors: sign in, register, or ask for a new password. */
export function Welcome() {
  const [mode, setMode] = useState<Mode>('sign in');
  useEffect(() => {
    document.title = t('Sensor data platform');
  }, []);
  const { path } = usePlace();
  const form = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) form.current?.querySelector('input')?.focus();
    isFirst.current = false;
  }, [mode]);
  const other = (next: Mode, text: PlainText) => (
    <button type="button" class="link" onClick={() => setMode(next)}>
      {t(text)}
    </button>
  );
  return (
    <main class="welcome">
      <div>
        <div class="brand">
          <img src={`${ROOT}console/icon.svg`} alt="" />
          {t('Sensor data platform')}
        </div>
        <p class="quiet">
          {t('Collects the data of sensors, watches it with rules, and sends alerts.')}{' '}
          <a href={`${ROOT}docs`}>{t('Documentation')}</a>
        </p>
        {path.startsWith('/invitations/') && (
          <p class="message">{t('You are invited. Sign in, or create an account.')}</p>
        )}
        <div ref={form}>
          {mode === 'sign in' && <SignIn />}
          {mode === 'passkey' && <Passkey />}
          {mode === 'register' && <Register />}
          {mode === 'forgotten' && <Forgotten />}
        </div>
        <p class="line spread small">
          {mode === 'register' ? other('sign in', 'Sign in instead') : other('register', 'Create an account')}
          {mode === 'passkey' ? other('sign in', 'Use the password') : other('passkey', 'Use a passkey')}
          {mode === 'forgotten' ? other('sign in', 'Back to sign in') : other('forgotten', 'Forgot your password?')}
        </p>
      </div>
    </main>
  );
}

function SignIn() {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const { path } = usePlace();
  const [asksForCode, setAsksForCode] = useState(false);
  const submit = async () => {
    try {
      await signIn(username, password);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'second_factor_required') return setAsksForCode(true);
      if (error instanceof ApiError && error.status === 401)
        throw new Error(t('The username or the password is wrong.'));
      throw error;
    }
  };
  return (
    <div class="stack">
      <h1>{t('Sign in')}</h1>
      {hasSessionEnded() && (
        <p class="message">{t('Your session has ended. Sign in again to continue where you were.')}</p>
      )}
      {asksForCode ? (
        <SecondStep username={username} password={password} />
      ) : (
        <Form label={t('Sign in')} submit={submit}>
          <Field label={t('Username')} value={username} onValue={setUsername} autocomplete="username" required />
          <Field
            label={t('Password')}
            type="password"
            value={password}
            onValue={setPassword}
            autocomplete="current-password"
            required
          />
        </Form>
      )}
      {IDENTITY_PROVIDER && (
        <a class="button" href={`${ROOT}login/oidc?return_to=${encodeURIComponent(`/console${path}`)}`}>
          {t('Sign in with {provider}', { provider: IDENTITY_PROVIDER })}
        </a>
      )}
    </div>
  );
}

function Passkey() {
  return (
    <div class="stack">
      <h1>{t('Sign in with a passkey')}</h1>
      <PasskeySignIn />
    </div>
  );
}

function wantsInvitation(error: unknown): boolean {
  return error instanceof ApiError && ('invitation' in error.fields || error.message.includes(t('invitation')));
}

function Register() {
  const [account, setAccount] = useState({ username: '', email: '', password: '' });
  const [invitation, setInvitation] = useState('');
  const [asks, setAsks] = useState(false);
  const field = (name: keyof typeof account) => ({
    value: account[name],
    onValue: (value: string) => setAccount({ ...account, [name]: value }),
    required: true,
  });
  const submit = async () => {
    try {
      await register(account, invitation);
    } catch (error) {
      if (wantsInvitation(error)) setAsks(true);
      throw error;
    }
  };
  return (
    <div class="stack">
      <h1>{t('Create an account')}</h1>
      <Form label={t('Create the account')} submit={submit}>
        <Field label={t('Username')} {...field('username')} autocomplete="username" />
        <Field
          label={t('Email')}
          type="email"
          {...field('email')}
          autocomplete="email"
          hint={t('For alerts, and to reset your password.')}
        />
        <Field
          label={t('Password')}
          type="password"
          {...field('password')}
          autocomplete="new-password"
          hint={t(PASSWORD_RULE)}
        />
        {asks && (
          <Field
            label={t('Invitation')}
            value={invitation}
            onValue={setInvitation}
            hint={t('The code that the operator gave you.')}
          />
        )}
      </Form>
    </div>
  );
}

function Forgotten() {
  const [username, setUsername] = useState('');
  const [sent, setSent] = useState(false);
  const submit = async () => {
    await ask(api.post('/requestPasswordReset', { body: { username } }));
    setSent(true);
  };
  return (
    <div class="stack">
      <h1>{t('Reset your password')}</h1>
      {sent ? (
        <p class="message good" role="status">
          {t('A mail with a link is on its way. The link is valid for an hour.')}
        </p>
      ) : (
        <Form label={t('Send me a link')} submit={submit}>
          <Field label={t('Username')} value={username} onValue={setUsername} autocomplete="username" required />
        </Form>
      )}
    </div>
  );
}
