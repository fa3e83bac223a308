import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../api';
import { useDraft } from '../drafts';
import { loadOwnGroups } from '../join-requests';
import { many, t } from '../language';
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
      loadOwnGroups(),
      all(async (query) => (await ask(api.get('/groups/all', { params: { query } }))).groups),
    ]);
    const known = new Set(mine.map(({ id }) => id));
    return { mine, others: every.filter(({ id }) => !known.has(id)) };
  });
  const { reload } = groups;
  return (
    <Page
      title={t('Groups')}
      lead={t('People who share sensors with each other.')}
      actions={
        <DialogButton text={t('New group')} title={t('New group')} kind="primary">
          {(close) => <NewGroup close={close} />}
        </DialogButton>
      }
    >
      <Loaded resource={groups}>
        {({ mine, others }) => (
          <>
            {mine.length === 0 ? (
              <Empty title={t('You are in no group')}>
                <p>{t('Create one for your household or your lab, or join one.')}</p>
              </Empty>
            ) : (
              <List caption={t('Your groups')} groups={mine} reload={reload} />
            )}
            {others.length > 0 && (
              <Section title={t('Groups to join')}>
                <List caption={t('Groups to join')} groups={others} reload={reload} />
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
          name: t('Group'),
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
          name: t('State'),
          cell: ({ id, membership, public: isPublic, requests }) => (
            <span class="tags">
              <Status>{isPublic ? t('public') : t('private')}</Status>
              {membership === 'pending' && <Status kind="warn">{t('waiting to be accepted')}</Status>}
              {requests > 0 && (
                <a class="badge" href={href(`/groups/${id}`)}>
                  <Status kind="warn">{many(requests, '{n} request to join', '{n} requests to join')}</Status>
                </a>
              )}
            </span>
          ),
        },
        {
          name: t('Actions'),
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
  const [{ name, description }, setTexts] = useDraft('new group', { name: '', description: '' });
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
    <Form label={t('Create')} submit={submit} onCancel={close}>
      <Field
        label={t('Name')}
        value={name}
        onValue={(value) => setTexts({ name: value, description })}
        required
        maxLength={255}
      />
      <Field
        label={t('Description')}
        value={description}
        onValue={(value) => setTexts({ name, description: value })}
        rows={2}
      />
      <Check
        label={t('Anyone can join.')}
        checked={open}
        onChecked={setOpen}
        hint={t('Otherwise members approve requests.')}
      />
      {!open && <GroupPassword value={password} onValue={setPassword} />}
      <Check label={t('Hidden.')} checked={hidden} onChecked={setHidden} hint={t('Only members see that it exists.')} />
      <Check label={t('Show my username to the members')} checked={isNamed} onChecked={setNamed} />
    </Form>
  );
}
