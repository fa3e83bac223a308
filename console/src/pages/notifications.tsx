import type { Records } from '../api';
import { nameOf, placeOf } from '../destination';
import { t } from '../language';
import { href } from '../router';
import { Breaks, Empty, Loaded, Page } from '../ui/page';
import { Table } from '../ui/table';
import { ShortButtons } from './notifications/buttons';
import { ChannelPicture } from './notifications/channel-picture';
import { channelOf, usePresets } from './notifications/channels';
import { LastResult, Proven } from './notifications/last-result';
import { useNotifications } from './notifications/load';
import { State } from './notifications/state';
import { ThisBrowser } from './notifications/this-browser';

type Notification = Records['NotificationView'];

/** Destinations of alerts: addresses, URLs and browsers, with their texts. */
export function NotificationsPage() {
  const notifications = useNotifications();
  const add = (
    <a class="button primary" href={href('/notifications/new')}>
      {t('New notification')}
    </a>
  );
  return (
    <Page title={t('Notifications')} lead={t('Where alerts and events are sent.')} actions={add}>
      <Loaded resource={notifications}>
        {(list) => (
          <>
            {list.length === 0 ? (
              <Empty title={t('No notifications yet')}>
                <p>
                  {t('A notification is a text and the channel that delivers it: a mail, a chat, a phone or any URL.')}
                </p>
              </Empty>
            ) : (
              <List list={list} reload={notifications.reload} />
            )}
            <ThisBrowser list={list} reload={notifications.reload} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function List({ list, reload }: { list: readonly Notification[]; reload: () => void }) {
  const presets = usePresets().data ?? [];
  return (
    <Table<Notification>
      caption={t('Notifications')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('Destination'),
          cell: (one) => (
            <div class="channel-cell">
              <ChannelPicture {...channelOf(one, presets)} />
              <div>
                <a class="strong breakable" href={href(`/notifications/${one.id}`)}>
                  <Breaks text={nameOf(one)} />
                </a>
                <div class="small quiet breakable">
                  {[
                    one.name ? placeOf(one) : channelOf(one, presets).title,
                    one.person && t('read by {person}', { person: one.person }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                  {one.text && `: ${one.text}`}
                </div>
              </div>
            </div>
          ),
        },
        { name: t('State'), cell: (one) => <State notification={one} reload={reload} /> },
        {
          name: t('Last delivery'),
          cell: (one) => (
            <>
              <LastResult notification={one} />
              <Proven notification={one} />
            </>
          ),
        },
        {
          name: t('Actions'),
          right: true,
          cell: (one) => <ShortButtons notification={one} reload={reload} />,
        },
      ]}
    />
  );
}
