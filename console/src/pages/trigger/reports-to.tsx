import { all, api, ask, type Records, sentence } from '../../api';
import { nameOf } from '../../destination';
import { many, t } from '../../language';
import { useUser } from '../../session';
import { Action } from '../../ui/action';
import { DialogButton } from '../../ui/dialog';
import { Loaded } from '../../ui/page';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';
import { AddStep } from '../forms';
import { NewNotification } from '../notifications/new-notification';
import { type Loss, lossesOf, type Step, withStep } from './escalation';
import { StepLine } from './step-line';

type Notification = Records['NotificationView'];

interface ReportsProps {
  steps: readonly Step[];
  onSteps: (steps: Step[]) => void;
  /** The stored steps, and the sensors of the stored trigger. */
  stored: { steps: readonly Step[]; sensors: readonly string[] };
  /** All sensors of the trigger, as chosen. */
  sensors: readonly string[];
}

/** The notifications of a trigger as steps: at once, and later if the alert is not acknowledged. */
export function ReportsTo(props: ReportsProps) {
  const { steps, onSteps, stored } = props;
  const notifications = useResource('notifications to pick', () =>
    all(async (query) => (await ask(api.get('/notifications', { params: { query } }))).notifications),
  );
  const add = (notification: string) => {
    notifications.reload();
    onSteps(withStep(steps, { notification, after: 0 }));
  };
  return (
    <fieldset class="field reports" id="reports">
      <legend class="label">{t('Reports to')}</legend>
      <Loaded resource={notifications}>
        {(list) => (
          <>
            <StepLine steps={steps} onSteps={onSteps} list={list} />
            <Losses losses={lossesOf(stored.steps, steps, stored.sensors)} list={list} />
            <Buttons {...props} list={list} add={add} />
            {steps.length === 0 && (
              <span class="hint">{t('Without a destination, firings are recorded, but nobody is notified.')}</span>
            )}
            {steps.some(({ after }) => after > 0) && (
              <span class="hint">{t('A later step is skipped if the alert is acknowledged or over by then.')}</span>
            )}
          </>
        )}
      </Loaded>
    </fieldset>
  );
}

function Buttons({
  steps,
  onSteps,
  sensors,
  list,
  add,
}: ReportsProps & { list: readonly Notification[]; add: (id: string) => void }) {
  return (
    <div class="actions">
      <MailToMe list={list} onMade={add} />
      {list.length > 0 && (
        <DialogButton text={t('Add a step')} title={t('Add a step')} kind="small-button">
          {(close) => (
            <AddStep
              list={list}
              steps={steps}
              sensors={sensors}
              onCancel={close}
              onDone={(step) => {
                onSteps(withStep(steps, step));
                close();
              }}
            />
          )}
        </DialogButton>
      )}
      <DialogButton text={t('New notification')} title={t('New notification')} kind="small-button">
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
  );
}

/** What saving takes away. */
function Losses({ losses, list }: { losses: readonly Loss[]; list: readonly Notification[] }) {
  return (
    <div role="status" class="stack tight">
      {losses.map(({ notification, sensors }) => (
        <p key={notification} class="message warn small breakable">
          {many(
            sensors,
            'Saving disconnects {name}: it gets no more alerts of {n} sensor.',
            'Saving disconnects {name}: it gets no more alerts of {n} sensors.',
            { name: destinationOf(notification, list) },
          )}
        </p>
      ))}
    </div>
  );
}

/** The destination of a notification; its id if it is not the user's. */
function destinationOf(id: string, list: readonly Notification[]): string {
  const found = list.find((one) => one.id === id);
  return found ? nameOf(found) : t('Notification {id}', { id });
}

/** One click for the most common choice. Empty if it exists already. */
function MailToMe({ list, onMade }: { list: readonly Notification[]; onMade: (id: string) => void }) {
  const { email } = useUser();
  if (!email || list.some(({ destination }) => destination === email)) return null;
  const make = async () => {
    const notification = { type: 'email' as const, destination: email, text: '' };
    const made = await ask(api.post('/notifications', { body: { notification } }));
    if (made.warning) say(sentence(made.warning));
    else if (!made.notification.confirmed)
      say(t('Confirm your address first, with the link in the mail that we sent you.'));
    onMade(made.notification.id);
  };
  return (
    <Action kind="small-button" act={make}>
      {t('Mail to me')}
    </Action>
  );
}
