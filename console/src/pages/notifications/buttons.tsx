import { api, ask } from '../../api';
import { nameOf } from '../../destination';
import { t } from '../../language';
import { unsubscribeFrom } from '../../push';
import { href } from '../../router';
import { Action } from '../../ui/action';
import { DeleteButton } from '../../ui/dialog';
import { Secret } from './secret';
import type { NotificationProps } from './state';
import { TestButton } from './test-button';

/** Tests a notification, and leads to its deliveries. */
export function ShortButtons({ notification, reload }: NotificationProps) {
  const { id } = notification;
  return (
    <div class="actions">
      <TestButton notification={notification} reload={reload} />
      <a
        class="button small-button"
        href={href(`/deliveries?notification=${id}`)}
        aria-label={t('Deliveries to {name}', { name: nameOf(notification) })}
      >
        {t('Deliveries')}
      </a>
    </div>
  );
}

/** Also enables it or disables it, deletes it, and shows its signing secret. */
export function Buttons({ notification, reload, onDeleted }: NotificationProps & { onDeleted: () => void }) {
  const { id, type } = notification;
  const name = nameOf(notification);
  return (
    <div class="actions">
      <ShortButtons notification={notification} reload={reload} />
      {type === 'url' && <Secret notification={notification} reload={reload} />}
      <div class="actions">
        <Toggle notification={notification} reload={reload} />
        <DeleteButton
          name={name}
          consequence={t(
            'Every trigger that reports there stops until it is activated again, even if it also reports elsewhere.',
          )}
          act={async () => {
            await ask(api.delete('/notifications/{id}', { params: { path: { id } } }));
            await unsubscribeFrom(notification).catch(() => {});
            onDeleted();
          }}
        />
      </div>
    </div>
  );
}

function Toggle({ notification, reload }: NotificationProps) {
  const { id, enabled } = notification;
  const toggle = async () => {
    const body = { notification: { enabled: !enabled } };
    await ask(api.put('/notifications/{id}', { params: { path: { id } }, body }));
    reload();
  };
  return (
    <Action
      kind="small-button"
      label={t(enabled ? 'Switch off {name}' : 'Switch on {name}', { name: nameOf(notification) })}
      act={toggle}
    >
      {t(enabled ? 'Switch off' : 'Switch on')}
    </Action>
  );
}
