import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../../api';
import { t } from '../../../language';
import { CopyButton } from '../../../ui/copy';
import { Field, Form } from '../../../ui/form';
import { makePasskey } from './passkey';
import { type Proof, ProofForm } from './proof-form';

interface Steps {
  hasPassword: boolean;
  close: () => void;
  onDone: () => void;
}

/** First the secret, for a proof; then the first code; then the recovery codes. */
export function NewApp({ hasPassword, close, onDone }: Steps) {
  const [app, setApp] = useState<Records['NewTotpResponse']>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [otp, setOtp] = useState('');
  const done = () => {
    close();
    onDone();
  };
  if (codes) return <NewCodes codes={codes} close={done} />;
  if (!app) {
    const begin = async (proof: Proof) => setApp(await ask(api.post('/second_factors/totp', { body: proof })));
    return <ProofForm label={t('Continue')} hasPassword={hasPassword} onCancel={close} submit={begin} />;
  }
  const confirm = async () => {
    const { recovery_codes: made } = await ask(api.put('/second_factors/totp', { body: { otp } }));
    if (made.length > 0) setCodes(made);
    else done();
  };
  return (
    <Form label={t('Confirm')} submit={confirm} onCancel={close}>
      <p>{t('Scan this picture with your app, or enter the key. Then type the code that the app shows.')}</p>
      <Picture svg={app.qr_code} />
      <div class="line">
        <code class="secret">{app.secret}</code>
        <CopyButton text={app.secret} label={t('Copy the key')} />
      </div>
      <Field label={t('Code')} value={otp} onValue={setOtp} autocomplete="one-time-code" required />
    </Form>
  );
}

/** The platform's picture, of which only numbers are taken. */
function Picture({ svg }: { svg: string }) {
  const size = /viewBox="0 0 (\d+) \d+"/.exec(svg)?.[1];
  const path = / d="([\w\s.,-]+)"/.exec(svg)?.[1];
  return (
    <svg role="img" aria-label={t('QR code')} width="220" height="220" viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

export function NewPasskey({ hasPassword, close, onDone }: Steps) {
  const [name, setName] = useState('');
  const [codes, setCodes] = useState<readonly string[]>();
  const done = () => {
    close();
    onDone();
  };
  if (codes) return <NewCodes codes={codes} close={done} />;
  const add = async (proof: Proof) => {
    const { options } = await ask(api.post('/passkeys/options', { body: proof }));
    const body = { name, credential: await makePasskey(options) };
    const { recovery_codes: made } = await ask(api.post('/passkeys', { body }));
    if (made.length > 0) setCodes(made);
    else done();
  };
  return (
    <ProofForm label={t('Add a passkey')} hasPassword={hasPassword} onCancel={close} submit={add}>
      <p>{t('A passkey signs in by your finger, face or PIN, without the password.')}</p>
      <Field
        label={t('Name')}
        value={name}
        onValue={setName}
        hint={t('By which you recognise it, such as the device.')}
        maxLength={100}
        required
      />
    </ProofForm>
  );
}

/** Recovery codes, which are shown once. */
export function NewCodes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  const text = codes.join('\n');
  return (
    <div class="stack">
      <p>
        {t(
          'Keep these codes where you find them without your device. Each signs in once, in place of a code of the app.',
        )}
      </p>
      <p>{t('Copy it now. You will not see it again.')}</p>
      <pre>{text}</pre>
      <div class="actions">
        <CopyButton text={text} label={t('Copy the codes')} />
        <button type="button" class="button primary" onClick={close}>
          {t('Done')}
        </button>
      </div>
    </div>
  );
}
