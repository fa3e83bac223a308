import { all, api, ask, type Records } from '../api';
import { loadOwnGroups } from '../join-requests';
import { t } from '../language';
import { go } from '../router';
import { Loaded, Page, Section, Status } from '../ui/page';
import { useResource } from '../use-resource';
import { EditGroup } from './groups/edit';
import { JoinButton } from './groups/join';
import { LeaveButton } from './groups/leave';
import { Members } from './groups/members';
import { OwnDetails } from './groups/own-details';
import { GroupSensors } from './groups/sensors';

type Group = Records['GroupView'];
type Listed = Records['ListedGroupView'];

interface Shown {
  listed: Listed;
  /** Undefined for a private group of which the user is not a member. */
  group: Group | undefined;
}

/** A group: its members with their rights, and its sensors; for other users a way to join. */
export function GroupPage({ id }: { id: string }) {
  const group = useResource(`group ${id}`, (signal) => load(id, signal));
  const { data, reload } = group;
  return (
    <Page
      title={data?.listed.name ?? t('Group')}
      crumb={{ path: '/groups', name: t('Groups') }}
      lead={data?.listed.description}
      actions={data && <Buttons {...data} reload={reload} />}
    >
      <Loaded resource={group}>{(found) => <Content key={found.listed.membership} {...found} />}</Loaded>
    </Page>
  );
}

async function load(id: string, signal: AbortSignal): Promise<Shown> {
  const listed = (await loadOwnGroups()).find((one) => one.id === id) ?? (await findListed(id, signal));
  if (listed && !listed.public && listed.membership !== 'accepted') return { listed, group: undefined };
  const { group } = await ask(api.get('/groups/{group_id}', { params: { path: { group_id: id } }, signal }));
  return { listed: { ...group, accepted: false, membership: 'none', requests: 0, ...listed }, group };
}

async function findListed(id: string, signal: AbortSignal): Promise<Listed | undefined> {
  const every = await all(async (query) => (await ask(api.get('/groups/all', { params: { query }, signal }))).groups);
  return every.find((one) => one.id === id);
}

function Buttons({ listed, group, reload }: Shown & { reload: () => void }) {
  const { id, membership } = listed;
  if (membership === 'none') return <JoinButton group={listed} onDone={reload} />;
  return (
    <>
      {membership === 'pending' && <JoinButton group={listed} kind="" onDone={reload} />}
      {membership === 'accepted' && <OwnDetails groupId={id} onDone={reload} />}
      {membership === 'accepted' && group && <EditGroup group={group} onDone={reload} />}
      <LeaveButton group={listed} onDone={() => go('/groups')} />
    </>
  );
}

function Content({ listed: { id, public: isPublic, membership }, group }: Shown) {
  return (
    <>
      <div class="tags">
        <Status>{isPublic ? t('Public: anyone can join') : t('Private: members approve requests')}</Status>
        {group?.hidden && <Status>{t('hidden')}</Status>}
        {!isPublic && group && <Status>{group.has_access_password ? t('has a password') : t('no password')}</Status>}
        {membership === 'pending' && <Status kind="warn">{t('waiting to be accepted')}</Status>}
      </div>
      {membership === 'accepted' && (
        <>
          <Section title={t('Members')}>
            <Members groupId={id} />
          </Section>
          <Section title={t('Sensors')}>
            <GroupSensors groupId={id} />
          </Section>
        </>
      )}
      {membership === 'pending' && (
        <p>{t('A member has to accept you. Then you see who is in the group and what it shares.')}</p>
      )}
      {membership === 'none' && !group && <p>{t('Only members see who is in this group and what is shared in it.')}</p>}
      {membership === 'none' && group && group.required_sensors.length > 0 && (
        <p>{t('New members share these sensors: {names}.', { names: group.required_sensors.join(', ') })}</p>
      )}
    </>
  );
}
