import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { type PlainText, t } from '../../language';
import { newDigestOf, PASSWORD_RULE } from '../../session';
import { DialogButton } from '../../ui/dialog';
import { Check, Field, Form } from '../../ui/form';

type Group = Records['GroupView'];

/** The rights of new members, as the group's fields name them. */
const DEFAULTS: readonly (readonly [
  `default_${Exclude<keyof Records['GroupPermissionsView'], 'edit_group'>}`,
  PlainText,
])[] = [
  ['default_list_users', 'see the members'],
  ['default_add_users', 'accept users'],
  ['default_remove_users', 'remove users'],
  ['default_list_sensors', 'see the sensors'],
  ['default_add_sensors', 'add sensors'],
  ['default_remove_sensors', 'remove sensors'],
  ['default_see_alerts', 'see the alerts'],
  ['default_handle_alerts', 'handle the alerts'],
];

/** Edits a group: its names, its admission, and the rights of new members. */
export function EditGroup({ group, onDone }: { group: Group; onDone: () => void }) {
  return (
    <DialogButton text={t('Edit')} title={t('Edit the group')}>
      {(close) => (
        <Fields
          group={group}
          onCancel={close}
          onDone={() => {
            close();
            onDone();
          }}
        />
      )}
    </DialogButton>
  );
}

function changesOf(fields: Group, password: string) {
  const { name, description, public: open, hidden } = fields;
  const defaults = Object.fromEntries(DEFAULTS.map(([field]) => [field, fields[field]]));
  const secret = password && { access_password: newDigestOf(password) };
  return { name, description, public: open, hidden, ...defaults, ...secret };
}

function Fields({ group, onDone, onCancel }: { group: Group; onDone: () => void; onCancel: () => void }) {
  const [fields, setFields] = useState(group);
  const [password, setPassword] = useState('');
  const set = <K extends keyof Group>(name: K, value: Group[K]) => setFields({ ...fields, [name]: value });
  const submit = async () => {
    const body = changesOf(fields, password);
    await ask(api.put('/groups/{group_id}', { params: { path: { group_id: group.id } }, body: { group: body } }));
    onDone();
  };
  return (
    <Form label={t('Save')} submit={submit} onCancel={onCancel}>
      <Field label={t('Name')} value={fields.name} onValue={(value) => set('name', value)} required />
      <Field
        label={t('Description')}
        rows={2}
        value={fields.description}
        onValue={(value) => set('description', value)}
      />
      <Check
        label={t('Anyone can join.')}
        hint={t('Otherwise members approve requests.')}
        checked={fields.public}
        onChecked={(on) => set('public', on)}
      />
      {!fields.public && <GroupPassword isSet={group.has_access_password} value={password} onValue={setPassword} />}
      <Check
        label={t('Hidden.')}
        hint={t('Only members see that it exists.')}
        checked={fields.hidden}
        onChecked={(on) => set('hidden', on)}
      />
      <fieldset>
        <legend class="label">{t('New members may')}</legend>
        {DEFAULTS.map(([field, text]) => (
          <Check key={field} label={t(text)} checked={fields[field]} onChecked={(on) => set(field, on)} />
        ))}
      </fieldset>
    </Form>
  );
}

/** The access password of a private group. */
export function GroupPassword({
  isSet = false,
  value,
  onValue,
}: {
  isSet?: boolean;
  value: string;
  onValue: (value: string) => void;
}) {
  return (
    <Field
      label={isSet ? t('New password of the group') : t('Password of the group')}
      type="password"
      autocomplete="off"
      hint={
        isSet
          ? t('A password is set. Leave this empty to keep it.')
          : `${t('Optional. People who know it join at once, without approval.')} ${t(PASSWORD_RULE)}`
      }
      value={value}
      onValue={onValue}
    />
  );
}
