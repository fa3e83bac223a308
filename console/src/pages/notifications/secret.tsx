import { api, ask, type Records } from '../../api';
import { nameOf } from '../../destination';
import { formatDate } from '../../format';
import { t } from '../../language';
import { Action } from '../../ui/action';
import { DialogButton } from '../../ui/dialog';

/** Shows the secret with which a receiver verifies requests, and replaces it. */
export function Secret({ notification, reload }: { notification: Records['NotificationView']; reload: () => void }) {
  const { id, signing_secret, previous_secret_until } = notification;
  return (
    <DialogButton
      text={t('Secret')}
      title={t('Signing secret')}
      kind="small-button"
      label={t('Signing secret of {name}', { name: nameOf(notification) })}
    >
      {(close) => (
        <>
          <p>
            {t(
              'Each request is signed (Standard Webhooks). With this secret the receiver can verify that it comes from here.',
            )}
          </p>
          <code class="secret">{signing_secret ?? t('not shown to this login')}</code>
          {previous_secret_until !== null && (
            <p class="quiet">
              {t('The previous secret is valid until {date}.', { date: formatDate(previous_secret_until) })}
            </p>
          )}
          <div class="actions">
            <Action
              done={t('There is a new secret.')}
              act={async () => {
                await ask(api.post('/notifications/{id}/rotate_secret', { params: { path: { id } } }));
                reload();
              }}
            >
              {t('Replace the secret')}
            </Action>
            <button type="button" class="button" onClick={close}>
              {t('Close')}
            </button>
          </div>
        </>
      )}
    </DialogButton>
  );
}
