import { useState } from 'preact/hooks';
import { api, ask, sentence } from '../../api';
import { t } from '../../language';
import { useUser } from '../../session';
import { Loaded } from '../../ui/page';
import { say } from '../../ui/toast';
import { ChannelGrid } from './channel-grid';
import { ChannelPicture } from './channel-picture';
import { type Channel, channelsOf, usePresets } from './channels';
import { type NewNotification as Body, NOTHING_HIDDEN, newFields } from './draft';
import { NotificationForm } from './form';
import { useNotifications } from './load';
import { type Answer, NO_ANSWER_YET, sendTest, TestAnswer } from './test-answer';
import { ThisBrowser } from './this-browser';

interface NewProps {
  onDone: (id: string) => void;
  onCancel: () => void;
}

/** Creates a notification, which may be this browser if `hasBrowser`: first its channel, then its fields. */
export function NewNotification({ hasBrowser = false, ...props }: NewProps & { hasBrowser?: boolean }) {
  const presets = usePresets();
  const [channel, setChannel] = useState<Channel>();
  if (channel?.name === 'push') return <OfBrowser onDone={props.onCancel} />;
  if (channel) return <OfChannel {...props} channel={channel} onOther={() => setChannel(undefined)} />;
  return (
    <Loaded resource={presets}>
      {(list) => <ChannelGrid channels={channelsOf(list, hasBrowser)} onChannel={setChannel} />}
    </Loaded>
  );
}

/** Saves, tests and shows the answer. If the fields are changed then, the notification that was tested is replaced. */
function OfChannel({ channel, onOther, onDone, onCancel }: NewProps & { channel: Channel; onOther: () => void }) {
  const { email } = useUser();
  const [made, setMade] = useState<{ id: string; answer: Answer }>();
  const create = async (notification: Body) => {
    const created = await ask(api.post('/notifications', { body: { notification } }));
    if (made) await ask(api.delete('/notifications/{id}', { params: { path: { id: made.id } } }));
    setMade(undefined);
    if (created.warning) say(sentence(created.warning));
    return created.notification;
  };
  const saveAndTest = async (notification: Body) => {
    const { id } = await create(notification);
    setMade({ id, answer: NO_ANSWER_YET });
    setMade({ id, answer: await sendTest(id) });
  };
  return (
    <div class="stack">
      <p class="line">
        <ChannelPicture {...channel} />
        <strong>{channel.title}</strong>
        <button type="button" class="button small-button" onClick={onOther} disabled={made !== undefined}>
          {t('Another channel')}
        </button>
      </p>
      <NotificationForm
        channel={channel}
        initial={{ fields: newFields(channel, email), hidden: NOTHING_HIDDEN }}
        submits={[
          { label: t('Save and test'), act: saveAndTest },
          ...(made
            ? []
            : [{ label: t('Save'), act: async (notification: Body) => onDone((await create(notification)).id) }]),
        ]}
        {...(made ? {} : { onCancel })}
      >
        {made && (
          <TestAnswer answer={made.answer}>
            {made.answer !== NO_ANSWER_YET && (
              <button type="button" class="button" onClick={() => onDone(made.id)}>
                {t('Done')}
              </button>
            )}
          </TestAnswer>
        )}
      </NotificationForm>
    </div>
  );
}

/** This browser becomes a channel by its own button. */
function OfBrowser({ onDone }: { onDone: () => void }) {
  const notifications = useNotifications();
  return (
    <Loaded resource={notifications}>
      {(list) => (
        <div class="stack">
          <ThisBrowser list={list} reload={notifications.reload} />
          <div>
            <button type="button" class="button" onClick={onDone}>
              {t('All notifications')}
            </button>
          </div>
        </div>
      )}
    </Loaded>
  );
}
