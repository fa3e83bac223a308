import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../api';
import { go, href } from '../router';
import { newDigestOf, useUser } from '../session';
import { DialogButton } from '../ui/dialog';
import { Check, Field, Form } from '../ui/form';
import { Empty, Loaded, Page, Section, Status } from '../ui/page';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { GroupPassword } from './groups/edit';
import { JoinButton } from './groups/join';
import { LeaveButton } from './groups/leave';
import { showDetails } from './groups/own-details';

type Group = Records['ListedGroupView'];

/** The user's groups, and all groups that can be joined. */
export function GroupsPage() {
  const groups = useResource('groups', async () => {
    const [mine, every] = await Promise.all([
      all(async (query) => (await ask(api.get('/groups', { params: { query } }))).groups),
      all(async (query) => (await ask(api.get('/groups/all', { params: { query } }))).groups),
    ]);
    const known = new Set(mine.map(({ id }) => id));
    return { mine, others: every.filter(({ id }) => !known.has(id)) };
  });
  const { reload } = groups;
  return (
    <Page
      title="Groups"
      lead="People who share sensors with each other."
      actions={
        <DialogButton text="New group" title="New group" kind="primary">
          {(close) => <NewGroup close={close} />}
        </DialogButton>
      }
    >
      <Loaded resource={groups}>
        {({ mine, others }) => (
          <>
            {mine.length === 0 ? (
              <Empty title="You are in no group">
                <p>Start one for your household or your lab, or join one below.</p>
              </Empty>
            ) : (
              <List caption="Your groups" groups={mine} reload={reload} />
            )}
            {others.length > 0 && (
              <Section title="Groups to join">
                <List caption="Groups to join" groups={others} reload={reload} />
              </Section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function List({ caption, groups, reload }: { caption: string; groups: readonly Group[]; reload: () => void }) {
  return (
    <Table<Group>
      caption={caption}
      rows={groups}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Group',
          cell: ({ id, name, description }) => (
            <div>
              <a class="strong" href={href(`/groups/${id}`)}>
                {name}
              </a>
              <div class="small quiet breakable">{description}</div>
            </div>
          ),
        },
        {
          name: 'State',
          cell: ({ membership, public: isPublic }) => (
            <span class="tags">
              <Status>{isPublic ? 'public' : 'private'}</Status>
              {membership === 'pending' && <Status kind="warn">waiting to be accepted</Status>}
            </span>
          ),
        },
        {
          name: 'Actions',
          right: true,
          cell: (group) => (
            <div class="actions">
              {group.membership !== 'accepted' && <JoinButton group={group} kind="small-button" onDone={reload} />}
              {group.membership === 'pending' && <LeaveButton group={group} kind="small-button" onDone={reload} />}
            </div>
          ),
        },
      ]}
    />
  );
}

function NewGroup({ close }: { close: () => void }) {
  const user = useUser();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [open, setOpen] = useState(false);
  const [hidden, setHidden] = useState(false);
  const [password, setPassword] = useState('');
  const [isNamed, setNamed] = useState(true);
  const submit = async () => {
    const secret = !open && password && { access_password: newDigestOf(password) };
    const body = { group: { name, description, public: open, hidden, ...secret } };
    const { group } = await ask(api.post('/groups', { body }));
    if (isNamed) await showDetails(group.id, user.id, { show_username: true });
    close();
    go(`/groups/${group.id}`);
  };
  return (
    <Form label="Create" submit={submit} onCancel={close}>
      <Field label="Name" value={name} onValue={setName} required maxLength={255} />
      <Field label="Description" value={description} onValue={setDescription} rows={2} />
      <Check label="Anyone can join." checked={open} onChecked={setOpen} hint="Otherwise members approve requests." />
      {!open && <GroupPassword value={password} onValue={setPassword} />}
      <Check label="Hidden." checked={hidden} onChecked={setHidden} hint="Only members see that it exists." />
      <Check label="Show my username to the members" checked={isNamed} onChecked={setNamed} />
    </Form>
  );
}
