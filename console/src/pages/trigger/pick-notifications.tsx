import { all, api, ask, type Records, sentence } from '../../api';
import { useUser } from '../../session';
import { Action } from '../../ui/action';
import { DialogButton } from '../../ui/dialog';
import { Check } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';
import { NewNotification } from '../notifications/form';

type Notification = Records['NotificationView'];

interface PickProps {
  chosen: readonly string[];
  onChosen: (ids: string[]) => void;
}

/** The notifications of a trigger; a new one can be created here. */
export function PickNotifications({ chosen, onChosen }: PickProps) {
  const notifications = useResource('notifications to pick', () =>
    all(async (query) => (await ask(api.get('/notifications', { params: { query } }))).notifications),
  );
  const add = (id: string) => {
    notifications.reload();
    onChosen([...chosen, id]);
  };
  return (
    <fieldset class="field">
      <legend class="label">Reports to</legend>
      <Loaded resource={notifications}>
        {(list) => (
          <>
            {list.length > 0 && <Ticks list={list} chosen={chosen} onChosen={onChosen} />}
            <div class="actions">
              <MailToMe list={list} onMade={add} />
              <DialogButton text="New notification" title="New notification" kind="small-button">
                {(close) => (
                  <NewNotification
                    onCancel={close}
                    onDone={(id) => {
                      close();
                      add(id);
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

function Ticks({
  list,
  chosen,
  onChosen,
}: {
  list: readonly Notification[];
  chosen: readonly string[];
  onChosen: (ids: string[]) => void;
}) {
  return (
    <div class="pick">
      {list.map(({ id, destination, enabled, confirmed }) => (
        <Check
          key={id}
          label={<span class="breakable">{destination}</span>}
          hint={whyNot(enabled, confirmed)}
          checked={chosen.includes(id)}
          onChecked={(on) => onChosen(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </div>
  );
}

function whyNot(enabled: boolean, confirmed: boolean): string | undefined {
  if (!enabled) return 'switched off';
  return confirmed ? undefined : 'not confirmed yet, by the link in a mail to it';
}

/** One click for the most common choice. Empty if it exists already. */
function MailToMe({ list, onMade }: { list: readonly Notification[]; onMade: (id: string) => void }) {
  const { email } = useUser();
  if (!email || list.some(({ destination }) => destination === email)) return null;
  const make = async () => {
    const notification = { type: 'email' as const, destination: email, text: '' };
    const made = await ask(api.post('/notifications', { body: { notification } }));
    if (made.warning) say(sentence(made.warning));
    else if (!made.notification.confirmed) say('Confirm your address first, by the link in the mail that you got.');
    onMade(made.notification.id);
  };
  return (
    <Action kind="small-button" act={make}>
      Mail to me
    </Action>
  );
}
