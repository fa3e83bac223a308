import { useState } from 'preact/hooks';
import { api, ask, ROOT } from '../api';
import { TIME_ZONE } from '../format';
import { digestOf, findSession, signOut, useUser } from '../session';
import { DialogButton } from '../ui/dialog';
import { Field, Form } from '../ui/form';
import { Page, Section } from '../ui/page';
import { say } from '../ui/toast';
import { ZoneField } from '../ui/zone-field';
import { Authorizations, BlockedUsers } from './account/access';
import { OwnApplications } from './account/applications';
import { Keys } from './account/keys';
import { Password } from './account/password';
import { Sessions } from './account/sessions';

/** The user's own account: their details, and the other access to it. */
export function AccountPage() {
  const user = useUser();
  // A new password ends sessions, and perhaps keys and permissions, so their lists are reloaded.
  const [passwords, setPasswords] = useState(0);
  return (
    <Page title="Account" lead={`${user.username}, id ${user.id}`}>
      <Section title="Keys">
        <p class="quiet">Devices and programs use keys, so that they need not know the password.</p>
        <Keys key={passwords} />
      </Section>
      <Section title="Applications">
        <Authorizations key={passwords} />
        <OwnApplications />
        <p class="small quiet">
          To write one of your own, <a href={`${ROOT}oauth/register_app`}>register an application</a>.
        </p>
      </Section>
      <Section title="Sessions">
        <p class="quiet">Where you are signed in. End those that you do not know, and choose another password.</p>
        <Sessions key={passwords} />
      </Section>
      <div class="columns">
        <Section title="About you">
          <Details />
        </Section>
        <Section title="Password">
          <Password onDone={() => setPasswords((before) => before + 1)} />
        </Section>
      </div>
      <Section title="Blocked users">
        <BlockedUsers />
      </Section>
      <DeleteSection />
    </Page>
  );
}

function DeleteSection() {
  return (
    <Section title="Delete the account">
      <p class="quiet">Deletes your sensors, data, triggers and notifications as well. This cannot be undone.</p>
      <div>
        <DialogButton text="Delete the account" title="Delete the account for good?" kind="danger">
          {(close) => <Delete close={close} />}
        </DialogButton>
      </div>
    </Section>
  );
}

function Details() {
  const user = useUser();
  const [fields, setFields] = useState({
    name: user.name,
    surname: user.surname,
    mobile: user.mobile,
    country: user.country,
    timezone: user.timezone ?? TIME_ZONE,
  });
  const [email, setEmail] = useState(user.email);
  const [password, setPassword] = useState('');
  const set = (name: keyof typeof fields) => (value: string) => setFields({ ...fields, [name]: value });
  const submit = async () => {
    const changes = {
      ...fields,
      ...(email !== user.email && { email, ...(password && { current_password: digestOf(password) }) }),
    };
    await ask(api.put('/users/{id}', { params: { path: { id: user.id } }, body: { user: changes } }));
    await findSession();
    say('Saved.');
  };
  return (
    <Form label="Save" kind="" submit={submit}>
      <Field label="First name" value={fields.name} onValue={set('name')} autocomplete="given-name" />
      <Field label="Surname" value={fields.surname} onValue={set('surname')} autocomplete="family-name" />
      <Field label="Email" type="email" value={email} onValue={setEmail} autocomplete="email" required />
      {email !== user.email && (
        <Field
          label="Password, for the new address"
          type="password"
          value={password}
          onValue={setPassword}
          autocomplete="current-password"
        />
      )}
      <Field label="Phone" value={fields.mobile} onValue={set('mobile')} autocomplete="tel" />
      <Field label="Country" value={fields.country} onValue={set('country')} autocomplete="country-name" />
      <ZoneField
        label="Time zone"
        hint="For the times in the mails about your alerts"
        value={fields.timezone}
        onValue={set('timezone')}
      />
    </Form>
  );
}

function Delete({ close }: { close: () => void }) {
  const user = useUser();
  const [typed, setTyped] = useState('');
  const submit = async () => {
    if (typed !== user.username) throw new Error('That is not your username.');
    await ask(api.delete('/users/{id}', { params: { path: { id: user.id } } }));
    await signOut();
  };
  return (
    <Form label="Delete everything" kind="danger" submit={submit} onCancel={close}>
      <Field label={`Type ${user.username} to confirm`} value={typed} onValue={setTyped} autocomplete="off" required />
    </Form>
  );
}
