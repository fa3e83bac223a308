import { api, ask, type Records, sentence } from '../api';
import { nameOf, placeOf } from '../destination';
import { t } from '../language';
import { go } from '../router';
import { Loaded, Page } from '../ui/page';
import { say } from '../ui/toast';
import { type Resource, useResource } from '../use-resource';
import { Buttons } from './notifications/buttons';
import { ChannelPicture } from './notifications/channel-picture';
import { channelOf, usePresets } from './notifications/channels';
import { type NewNotification as Body, fieldsOf, hiddenOf } from './notifications/draft';
import { NotificationForm } from './notifications/form';
import { LastResult, Proven } from './notifications/last-result';
import { NewNotification } from './notifications/new-notification';
import { State } from './notifications/state';

type Notification = Records['NotificationView'];

const LIST = { path: '/notifications', name: t('Notifications') };

/** A notification with its form; `new` for one that is not saved yet. */
export function NotificationPage({ id }: { id: string }) {
  return id === 'new' ? <NewPage /> : <StoredPage id={id} />;
}

function NewPage() {
  const leave = () => go(LIST.path);
  return (
    <Page title={t('New notification')} crumb={LIST}>
      <NewNotification hasBrowser onDone={leave} onCancel={leave} />
    </Page>
  );
}

function StoredPage({ id }: { id: string }) {
  const notification = useResource(
    `notification ${id}`,
    async () => (await ask(api.get('/notifications/{id}', { params: { path: { id } } }))).notification,
  );
  return (
    <Page
      title={notification.data ? nameOf(notification.data) : t('Notification')}
      crumb={LIST}
      lead={notification.data?.name && <span class="breakable">{placeOf(notification.data)}</span>}
      actions={
        notification.data && (
          <Buttons notification={notification.data} reload={notification.reload} onDeleted={() => go(LIST.path)} />
        )
      }
    >
      <Loaded resource={notification}>{(found) => <Parts found={found} notification={notification} />}</Loaded>
    </Page>
  );
}

function Parts({ found, notification }: { found: Notification; notification: Resource<Notification> }) {
  const channel = channelOf(found, usePresets().data ?? []);
  const save = async (changes: Body) => {
    const path = { id: found.id };
    const { warning } = await ask(
      api.put('/notifications/{id}', { params: { path }, body: { notification: changes } }),
    );
    say(warning ? sentence(warning) : t('The notification is saved.'));
    notification.reload();
  };
  return (
    <>
      <div class="line">
        <ChannelPicture {...channel} />
        <strong>{channel.title}</strong>
        <State notification={found} reload={notification.reload} />
        <LastResult notification={found} />
        <Proven notification={found} />
      </div>
      <NotificationForm
        // Stored values of headers and secrets are hidden again once they are saved.
        key={JSON.stringify([found.headers, found.secrets, found.destination, found.body])}
        channel={channel}
        id={found.id}
        initial={{ fields: fieldsOf(found), hidden: hiddenOf(found) }}
        submits={[{ label: t('Save'), act: save }]}
      />
    </>
  );
}
