import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../api';
import { go } from '../router';
import { digestOf, useUser } from '../session';
import { Action } from '../ui/action';
import { DangerButton, DialogButton } from '../ui/dialog';
import { Field, Form } from '../ui/form';
import { Loaded, Page, Section, Status } from '../ui/page';
import { PickSensors } from '../ui/pick-sensors';
import { useResource } from '../use-resource';
import { EditGroup } from './groups/edit';
import { Members } from './groups/members';
import { GroupSensors } from './groups/sensors';

type Group = Records['GroupView'];

interface Shown {
  group: Group;
  state: 'waiting' | 'member' | 'visitor';
}

/** A group: its members with their rights, and the sensors in it. */
export function GroupPage({ id }: { id: string }) {
  const group = useResource(`group ${id}`, (signal) => load(id, signal));
  const { data, reload } = group;
  return (
    <Page
      title={data?.group.name ?? 'Group'}
      crumb={{ path: '/groups', name: 'Groups' }}
      lead={data?.group.description}
      actions={data && <Buttons {...data} reload={reload} />}
    >
      <Loaded resource={group}>{(found) => <Content {...found} />}</Loaded>
    </Page>
  );
}

async function load(id: string, signal: AbortSignal): Promise<Shown> {
  const path = { group_id: id };
  const { group } = await ask(api.get('/groups/{group_id}', { params: { path }, signal }));
  const { groups } = await ask(api.get('/groups', { params: { query: { per_page: 1000 } }, signal }));
  const mine = groups.find((one) => one.id === id);
  return { group, state: mine ? (mine.accepted === false ? 'waiting' : 'member') : 'visitor' };
}

function Buttons({ group, state, reload }: Shown & { reload: () => void }) {
  const user = useUser();
  const leave = async () => {
    const path = { group_id: group.id, user_id: user.id };
    await ask(api.delete('/groups/{group_id}/users/{user_id}', { params: { path } }));
    go('/groups');
  };
  if (state === 'visitor') return <Join group={group} onDone={reload} />;
  return (
    <>
      {state === 'member' && <EditGroup group={group} onDone={reload} />}
      <DangerButton
        text={state === 'waiting' ? 'Withdraw' : 'Leave'}
        title={`Leave ${group.name}?`}
        consequence="Your sensors leave it with you. A group without members is gone."
        act={leave}
      />
    </>
  );
}

function Content({ group, state }: Shown) {
  return (
    <>
      <div class="tags">
        <Status>{group.public ? 'public: everybody may join' : 'private: a member accepts who asks'}</Status>
        {group.hidden && <Status>hidden</Status>}
        {state === 'waiting' && <Status kind="warn">you wait to be accepted</Status>}
      </div>
      {state === 'member' && (
        <>
          <Section title="Members">
            <Members groupId={group.id} />
          </Section>
          <Section title="Sensors">
            <GroupSensors groupId={group.id} />
          </Section>
        </>
      )}
      {state === 'visitor' && group.required_sensors.length > 0 && (
        <p>Who joins brings these sensors: {group.required_sensors.join(', ')}.</p>
      )}
    </>
  );
}

function Join({ group, onDone }: { group: Group; onDone: () => void }) {
  const user = useUser();
  if (group.public && group.required_sensors.length === 0) {
    return (
      <Action
        kind="primary"
        act={async () => {
          await join(group.id, user.id, '', []);
          onDone();
        }}
      >
        Join
      </Action>
    );
  }
  return (
    <DialogButton text="Ask to join" title={`Join ${group.name}`} kind="primary">
      {(close) => (
        <JoinForm
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

async function join(groupId: string, userId: string, password: string, sensors: readonly string[]): Promise<void> {
  const body = {
    user: { id: userId },
    ...(sensors.length > 0 && { sensors: [...sensors] }),
    ...(password && { access_password: digestOf(password) }),
  };
  await ask(api.post('/groups/{group_id}/users', { params: { path: { group_id: groupId } }, body }));
}

function JoinForm({ group, onDone, onCancel }: { group: Group; onDone: () => void; onCancel: () => void }) {
  const user = useUser();
  const [password, setPassword] = useState('');
  const [sensors, setSensors] = useState<readonly string[]>([]);
  const submit = async () => {
    await join(group.id, user.id, password, sensors);
    onDone();
  };
  return (
    <Form label="Ask to join" submit={submit} onCancel={onCancel}>
      {group.has_access_password && (
        <Field
          label="Password of the group"
          type="password"
          autocomplete="off"
          value={password}
          onValue={setPassword}
          hint="With it you are in at once; without it a member accepts you."
        />
      )}
      {group.required_sensors.length > 0 && <p>The group asks for: {group.required_sensors.join(', ')}.</p>}
      <PickSensors label="Sensors to share into it" mine chosen={sensors} onChosen={setSensors} />
    </Form>
  );
}
