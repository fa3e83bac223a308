import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { t } from '../../language';
import { digestOf, useUser } from '../../session';
import { DialogButton } from '../../ui/dialog';
import { Check, Field, Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { PickSensors } from '../../ui/pick-sensors';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';

type Listed = Records['ListedGroupView'];

interface JoinProps {
  group: Listed;
  onDone: () => void;
  kind?: string;
}

/**
 * Joins a public group; asks to join a private one, or enters with the password. Needs only the fields that lists show.
 */
export function JoinButton({ group, onDone, kind = 'primary' }: JoinProps) {
  const text = group.public ? t('Join') : group.membership === 'pending' ? t('Enter the password') : t('Ask to join');
  return (
    <DialogButton
      text={text}
      title={t('Join {name}', { name: group.name })}
      kind={kind}
      label={`${text}: ${group.name}`}
    >
      {(close) => (
        <Join
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

/** A public group also shows its demands. */
function Join(props: JoinProps & { onCancel: () => void }) {
  const { id, public: isPublic } = props.group;
  const terms = useResource(`terms of group ${id}`, async (signal) => {
    if (!isPublic) return { anonymous: false, required: [] };
    const { group } = await ask(api.get('/groups/{group_id}', { params: { path: { group_id: id } }, signal }));
    return { anonymous: group.anonymous, required: group.required_sensors };
  });
  return <Loaded resource={terms}>{(found) => <JoinForm {...props} {...found} />}</Loaded>;
}

function JoinForm({
  group,
  anonymous,
  required,
  onDone,
  onCancel,
}: JoinProps & { anonymous: boolean; required: readonly string[]; onCancel: () => void }) {
  const user = useUser();
  const [password, setPassword] = useState('');
  const [isNamed, setNamed] = useState(!anonymous);
  const [sensors, setSensors] = useState<readonly string[]>([]);
  const submit = async () => {
    const body = {
      user: { id: user.id },
      display_user_info: { show_username: isNamed },
      ...(sensors.length > 0 && { sensors: [...sensors] }),
      ...(password && { access_password: digestOf(password) }),
    };
    const params = { path: { group_id: group.id } };
    const { users } = await ask(api.post('/groups/{group_id}/users', { params, body }));
    const { name } = group;
    say(users[0]?.accepted ? t('You are a member of {name}.', { name }) : t('You asked to join {name}.', { name }));
    onDone();
  };
  return (
    <Form label={group.public || password ? t('Join') : t('Ask to join')} submit={submit} onCancel={onCancel}>
      {!group.public && (
        <Field
          label={t('Password of the group')}
          type="password"
          autocomplete="off"
          value={password}
          onValue={setPassword}
          hint={t('Optional. With it, you join at once. Without it, a member decides and will see your username.')}
        />
      )}
      {group.membership === 'none' && (
        <>
          {required.length > 0 && (
            <p>{t('The group asks for these sensors: {names}.', { names: required.join(', ') })}</p>
          )}
          <Check label={t('Show my username to the members')} checked={isNamed} onChecked={setNamed} />
          <PickSensors
            label={t('Sensors to share with the group (optional)')}
            mine
            chosen={sensors}
            onChosen={setSensors}
          />
        </>
      )}
    </Form>
  );
}
