import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, api, ask, ROOT } from '../api';
import { hasSessionEnded, PASSWORD_RULE, register, signIn } from '../session';
import { Field, Form } from '../ui/form';

type Mode = 'sign in' | 'register' | 'forgotten';

/** The page for visitors: sign in, register, or ask for a new password. */
export function Welcome() {
  const [mode, setMode] = useState<Mode>('sign in');
  useEffect(() => {
    document.title = 'Sensor data platform';
  }, []);
  const form = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) form.current?.querySelector('input')?.focus();
    isFirst.current = false;
  }, [mode]);
  const other = (next: Mode, text: string) => (
    <button type="button" class="link" onClick={() => setMode(next)}>
      {text}
    </button>
  );
  return (
    <main class="welcome">
      <div>
        <div class="brand">
          <img src={`${ROOT}console/icon.svg`} alt="" />
          Sensor data platform
        </div>
        <div ref={form}>
          {mode === 'sign in' && <SignIn />}
          {mode === 'register' && <Register />}
          {mode === 'forgotten' && <Forgotten />}
        </div>
        <p class="line spread small">
          {mode === 'register' ? other('sign in', 'Sign in instead') : other('register', 'Create an account')}
          {mode === 'forgotten' ? other('sign in', 'Back to sign in') : other('forgotten', 'Forgot the password?')}
        </p>
      </div>
    </main>
  );
}

function SignIn() {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const submit = async () => {
    try {
      await signIn(username, password);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) throw new Error('The username or the password is wrong.');
      throw error;
    }
  };
  return (
    <div class="stack">
      <h1>Sign in</h1>
      {hasSessionEnded() && <p class="message">Your session has ended. Sign in again to go on where you were.</p>}
      <Form label="Sign in" submit={submit}>
        <Field label="Username" value={username} onValue={setUsername} autocomplete="username" required />
        <Field
          label="Password"
          type="password"
          value={password}
          onValue={setPassword}
          autocomplete="current-password"
          required
        />
      </Form>
    </div>
  );
}

const INVITATION = 'The code of the operator.';

function wantsInvitation(error: unknown): boolean {
  return error instanceof ApiError && ('invitation' in error.fields || /invitation/i.test(error.message));
}

function Register() {
  const [account, setAccount] = useState({ username: '', email: '', password: '' });
  const [invitation, setInvitation] = useState('');
  const [asks, setAsks] = useState(false);
  const set = (field: keyof typeof account) => (value: string) => setAccount({ ...account, [field]: value });
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
      <h1>Create an account</h1>
      <Form label="Create the account" submit={submit}>
        <Field label="Username" value={account.username} onValue={set('username')} autocomplete="username" required />
        <Field
          label="Email"
          type="email"
          value={account.email}
          onValue={set('email')}
          autocomplete="email"
          hint="For alerts, and for a new password if this one is lost."
          required
        />
        <Field
          label="Password"
          type="password"
          value={account.password}
          onValue={set('password')}
          autocomplete="new-password"
          hint={PASSWORD_RULE}
          required
        />
        {asks && <Field label="Invitation" value={invitation} onValue={setInvitation} hint={INVITATION} />}
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
      <h1>A new password</h1>
      {sent ? (
        <p class="message good" role="status">
          A mail with a link is on its way. The link works for an hour.
        </p>
      ) : (
        <Form label="Send me a link" submit={submit}>
          <Field label="Username" value={username} onValue={setUsername} autocomplete="username" required />
        </Form>
      )}
    </div>
  );
}
