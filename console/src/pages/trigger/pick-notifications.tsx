import { all, api, ask } from '../../api';
import { DialogButton } from '../../ui/dialog';
import { Check } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { useResource } from '../../use-resource';
import { NewNotification } from '../notifications/form';

/** Where a trigger reports to; a new notification can be made on the way. */
export function PickNotifications({
  chosen,
  onChosen,
}: {
  chosen: readonly string[];
  onChosen: (ids: string[]) => void;
}) {
  const notifications = useResource('notifications to pick', () =>
    all(async (query) => (await ask(api.get('/notifications', { params: { query } }))).notifications),
  );
  return (
    <fieldset class="field">
      <legend class="label">Reports to</legend>
      <Loaded resource={notifications}>
        {(list) => (
          <>
            {list.length > 0 && (
              <div class="pick">
                {list.map(({ id, destination, enabled }) => (
                  <Check
                    key={id}
                    label={<span class="breakable">{destination}</span>}
                    hint={enabled ? undefined : 'switched off'}
                    checked={chosen.includes(id)}
                    onChecked={(on) => onChosen(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
                  />
                ))}
              </div>
            )}
            <div>
              <DialogButton text="New notification" title="New notification" kind="small-button">
                {(close) => (
                  <NewNotification
                    onCancel={close}
                    onDone={(id) => {
                      close();
                      notifications.reload();
                      onChosen([...chosen, id]);
                    }}
                  />
                )}
              </DialogButton>
            </div>
            {chosen.length === 0 && <span class="hint">Without one, firings are recorded and nobody is notified.</span>}
          </>
        )}
      </Loaded>
    </fieldset>
  );
}
