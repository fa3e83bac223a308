import { api, ask, type Records } from '../../api';
import { nameOf } from '../../destination';
import { formatDate } from '../../format';
import { Action } from '../../ui/action';
import { DialogButton } from '../../ui/dialog';

/** Shows the secret with which a receiver verifies requests, and replaces it. */
export function Secret({ notification, reload }: { notification: Records['NotificationView']; reload: () => void }) {
  const { id, signing_secret, previous_secret_until } = notification;
  return (
    <DialogButton
      text="Secret"
      title="Signing secret"
      kind="small-button"
      label={`Signing secret of ${nameOf(notification)}`}
    >
      {() => (
        <>
          <p>
            Each request carries a signature (Standard Webhooks). With this secret the receiver knows that it came from
            here.
          </p>
          <code class="secret">{signing_secret ?? 'not shown to this login'}</code>
          {previous_secret_until !== null && (
            <p class="quiet">The one before it signs as well until {formatDate(previous_secret_until)}.</p>
          )}
          <div class="actions">
            <Action
              done="There is a new secret."
              act={async () => {
                await ask(api.post('/notifications/{id}/rotate_secret', { params: { path: { id } } }));
                reload();
              }}
            >
              Replace the secret
            </Action>
          </div>
        </>
      )}
    </DialogButton>
  );
}
