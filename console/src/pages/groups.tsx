import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../api';
import { go, href } from '../router';
import { DialogButton } from '../ui/dialog';
import { Check, Field, Form } from '../ui/form';
import { Empty, Loaded, Page, Section, Status } from '../ui/page';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';

type Group = Records['ListedGroupView'];

/** The user's groups, and all that can be joined. */
export function GroupsPage() {
  const groups = useResource('groups', async () => {
    const [mine, every] = await Promise.all([
      all(async (query) => (await ask(api.get('/groups', { params: { query } }))).groups),
      all(async (query) => (await ask(api.get('/groups/all', { params: { query } }))).groups),
    ]);
    const known = new Set(mine.map(({ id }) => id));
    return { mine, others: every.filter(({ id }) => !known.has(id)) };
  });
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
              <List caption="Your groups" groups={mine} />
            )}
            {others.length > 0 && (
              <Section title="Groups to join">
                <List caption="Groups to join" groups={others} />
              </Section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function List({ caption, groups }: { caption: string; groups: readonly Group[] }) {
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
          right: true,
          cell: (group) => (
            <div class="actions">
              {'accepted' in group && group.accepted === false && <Status kind="warn">waiting to be accepted</Status>}
              <Status>{group.public ? 'public' : 'private'}</Status>
            </div>
          ),
        },
      ]}
    />
  );
}

function NewGroup({ close }: { close: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [open, setOpen] = useState(false);
  const [hidden, setHidden] = useState(false);
  const submit = async () => {
    const { group } = await ask(api.post('/groups', { body: { group: { name, description, public: open, hidden } } }));
    close();
    go(`/groups/${group.id}`);
  };
  return (
    <Form label="Create" submit={submit} onCancel={close}>
      <Field label="Name" value={name} onValue={setName} required maxLength={255} />
      <Field label="Description" value={description} onValue={setDescription} rows={2} />
      <Check label="Everybody may join" checked={open} onChecked={setOpen} hint="Otherwise a member accepts them." />
      <Check label="Hidden" checked={hidden} onChecked={setHidden} hint="Only members see that it exists." />
    </Form>
  );
}
