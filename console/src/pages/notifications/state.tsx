import { api, ask, type Records } from '../../api';
import { type PlainText, t } from '../../language';
import { Action } from '../../ui/action';
import { Status } from '../../ui/page';

const OFF: Record<string, PlainText> = {
  owner: 'switched off',
  failing: 'switched off after failing for five days',
  unsubscribed: 'the recipient has unsubscribed',
  gone: 'switched off: the browser has ended its subscription',
};

/** A notification, and what updates it. */
export interface NotificationProps {
  notification: Records['NotificationView'];
  reload: () => void;
}

/** Whether a notification is on, and why not. */
export function State({ notification: { id, enabled, disabled_reason, confirmed }, reload }: NotificationProps) {
  if (!enabled) return <Status kind="warn">{t(OFF[disabled_reason] ?? 'switched off')}</Status>;
  if (confirmed) return <Status kind="good">{t('on')}</Status>;
  return (
    <div class="stack tight">
      <Status kind="warn">{t('not confirmed yet')}</Status>
      <Action
        kind="small-button"
        done={t('The mail is on its way.')}
        act={async () => {
          await ask(api.post('/notifications/{id}/request_confirmation', { params: { path: { id } } }));
          reload();
        }}
      >
        {t('Ask again')}
      </Action>
    </div>
  );
}
