import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { useDraft } from '../../drafts';
import { formatTimeOfDay, TIME_ZONE } from '../../format';
import { LANGUAGE, LANGUAGE_NAMES, LOCALE, t } from '../../language';
import { digestOf, findSession, signOut, useUser } from '../../session';
import { DialogButton } from '../../ui/dialog';
import { Field, Form, Select } from '../../ui/form';
import { later } from '../../ui/later';
import { say } from '../../ui/toast';
import { ZoneField } from '../../ui/zone-field';

const EmailProof = later(() => import('./factors/email-proof').then((loaded) => loaded.EmailProof));

/** The details of the user. Another email address needs the password. */
export function Profile() {
  const user = useUser();
  const [fields, setFields] = useDraft('profile', {
    name: user.name,
    surname: user.surname,
    email: user.email,
    mobile: user.mobile,
    country: user.country,
    timezone: user.timezone ?? TIME_ZONE,
    language: user.language ?? LANGUAGE,
    weekly_report: user.weekly_report,
  });
  const [password, setPassword] = useState('');
  const set = (name: keyof typeof fields) => (value: string) => setFields({ ...fields, [name]: value });
  const isMoved = fields.email !== user.email;
  const submit = async () => {
    const changes = { ...fields, ...(isMoved && password && { current_password: digestOf(password) }) };
    await ask(api.put('/users/{id}', { params: { path: { id: user.id } }, body: { user: changes } }));
    await findSession();
    setPassword('');
    say(t('Saved.'));
  };
  return (
    <Form label={t('Save')} submit={submit}>
      <Field label={t('First name')} value={fields.name} onValue={set('name')} autocomplete="given-name" />
      <Field label={t('Surname')} value={fields.surname} onValue={set('surname')} autocomplete="family-name" />
      <Field label={t('Email')} type="email" value={fields.email} onValue={set('email')} required />
      {isMoved && <EmailProof value={password} onValue={setPassword} />}
      <Field label={t('Phone')} value={fields.mobile} onValue={set('mobile')} autocomplete="tel" />
      <Field label={t('Country')} value={fields.country} onValue={set('country')} autocomplete="country-name" />
      <ZoneField
        label={t('Time zone')}
        hint={t('For the times in the mails about your alerts.')}
        value={fields.timezone}
        onValue={set('timezone')}
      />
      <MailLanguage value={fields.language} onValue={set('language')} />
      <WeeklyReport value={fields.weekly_report} onValue={(time) => setFields({ ...fields, weekly_report: time })} />
    </Form>
  );
}

function MailLanguage(field: { value: string; onValue: (value: string) => void }) {
  return <Select {...field} label={t('Language of your mails')} options={LANGUAGE_NAMES} />;
}

type WeeklyTime = Records['WeeklyReportTime'];

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const HOURS = Array.from(
  { length: 24 },
  (_, hour) => [String(hour), formatTimeOfDay(new Date(2026, 0, 1, hour))] as const,
);
const MORNING = 8;

/** When the report on the alerts of a week comes by mail. */
function WeeklyReport({ value, onValue }: { value: WeeklyTime | null; onValue: (value: WeeklyTime | null) => void }) {
  const nameOf = new Intl.DateTimeFormat(LOCALE, { weekday: 'long' });
  const { day, hour } = value ?? { day: '', hour: MORNING };
  return (
    <>
      <Select
        label={t('Weekly report on alerts')}
        hint={t('By mail, in your time zone.')}
        value={day}
        options={[
          ['', t('Never')],
          ...DAYS.map((one, at) => [one, nameOf.format(new Date(2026, 5, at + 1))] as const), // a Monday
        ]}
        onValue={(chosen) => onValue(chosen ? { day: chosen as WeeklyTime['day'], hour } : null)} // one of the options
      />
      {value && (
        <Select
          label={t('Time of day')}
          value={String(hour)}
          options={HOURS}
          onValue={(chosen) => onValue({ ...value, hour: Number(chosen) })}
        />
      )}
    </>
  );
}

export function DeleteAccount() {
  return (
    <div>
      <DialogButton text={t('Delete the account')} title={t('Delete the account for good?')} kind="danger">
        {(close) => <Delete close={close} />}
      </DialogButton>
    </div>
  );
}

function Delete({ close }: { close: () => void }) {
  const { id, username } = useUser();
  const [typed, setTyped] = useState('');
  const submit = async () => {
    if (typed !== username) throw new Error(t('That is not your username.'));
    await ask(api.delete('/users/{id}', { params: { path: { id } } }));
    await signOut();
  };
  return (
    <Form label={t('Delete everything')} kind="danger" submit={submit} onCancel={close}>
      <Field
        label={t('Type {username} to confirm', { username })}
        value={typed}
        onValue={setTyped}
        autocomplete="off"
        required
      />
    </Form>
  );
}
