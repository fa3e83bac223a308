import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { useDraft } from '../../drafts';
import { firingsChanged } from '../../firing-stream';
import { many, t } from '../../language';
import { DialogButton } from '../../ui/dialog';
import { Field, Form } from '../../ui/form';
import { MuteLength } from '../../ui/mute-length';
import { say } from '../../ui/toast';
import { Unmute } from '../sensor/triggers';
import type { Alert } from './load';

type Action = Records['BulkFiringActions'];

/** An alert on which an action failed, and why. */
export interface Failure {
  alert: Alert | undefined;
  error: string;
}

/** Number of alerts of a request: small enough for a progress bar, and one request for most operators. */
const AT_ONCE = 100;

interface ActionsProps {
  alerts: readonly Alert[];
  /** For screen readers, if there is one alert. */
  name?: string;
  onDone: (failures: Failure[]) => void;
}

/** Buttons that acknowledge, resolve or mute open alerts, one or many. A muted one can be unmuted. */
export function AlertActions({ alerts, name, onDone }: ActionsProps) {
  const open = alerts.filter(({ latest }) => !latest.acknowledged);
  const kind = name === undefined ? '' : 'small-button';
  const label = (text: string) => (name === undefined ? text : `${text} ${name}`);
  const n = alerts.length;
  const shared = { onDone, name };
  const one = name === undefined ? undefined : alerts[0]?.latest;
  return (
    <div class="actions">
      {open.length > 0 && (
        <DialogButton
          text={t('Acknowledge')}
          kind={`primary ${kind}`}
          label={label(t('Acknowledge'))}
          title={titleOf(name, t('Acknowledge'), many(open.length, 'Acknowledge {n} alert', 'Acknowledge {n} alerts'))}
        >
          {(close) => <Acknowledge {...shared} alerts={open} close={close} />}
        </DialogButton>
      )}
      <DialogButton
        text={t('Resolve')}
        kind={kind}
        label={label(t('Resolve'))}
        title={titleOf(name, t('Resolve'), many(n, 'Resolve {n} alert', 'Resolve {n} alerts'))}
      >
        {(close) => (
          <ActionForm {...shared} alerts={alerts} close={close} label={t('Resolve')} action={() => ({ resolve: {} })}>
            <p class="quiet">{t('Ends the alert by hand. It fires again if its cause goes on.')}</p>
          </ActionForm>
        )}
      </DialogButton>
      {one?.muted_now?.by === 'trigger' ? (
        <Unmute sensorId={one.sensor_id} trigger={{ id: one.trigger_id, name }} onDone={firingsChanged} />
      ) : (
        <DialogButton
          text={t('Mute')}
          kind={kind}
          label={label(t('Mute'))}
          title={titleOf(name, t('Mute'), many(n, 'Mute {n} alert', 'Mute {n} alerts'))}
        >
          {(close) => <Mute {...shared} alerts={alerts} close={close} />}
        </DialogButton>
      )}
    </div>
  );
}

function titleOf(name: string | undefined, verb: string, ofMany: string): string {
  return name === undefined ? ofMany : `${verb}: “${name}”`;
}

type FormProps = ActionsProps & { close: () => void };

function Acknowledge(props: FormProps) {
  const [note, setNote] = useDraft(`note ${props.alerts.map(({ id }) => id)}`, '');
  return (
    <ActionForm {...props} label={t('Acknowledge')} action={() => ({ acknowledge: note ? { note } : {} })}>
      <p class="quiet">{t('Lets everyone know you are on it. The alert will not repeat until it is over.')}</p>
      <Field
        label={t('Note')}
        value={note}
        onValue={setNote}
        maxLength={1_000}
        placeholder={t('Optional, for example: I am on my way')}
      />
    </ActionForm>
  );
}

function Mute(props: FormProps) {
  const [seconds, setSeconds] = useState('3600');
  const end = () => Math.floor(Date.now() / 1000) + Number(seconds);
  return (
    <ActionForm {...props} label={t('Mute')} action={() => ({ mute: { end: end() } })}>
      <p class="quiet">{t('Firings are still recorded, but nobody is notified.')}</p>
      <MuteLength value={seconds} onValue={setSeconds} />
    </ActionForm>
  );
}

/** Does the action on all alerts, with a progress bar where it takes several requests. */
function ActionForm({
  alerts,
  label,
  action,
  close,
  onDone,
  children,
}: FormProps & {
  label: string;
  action: () => Action;
  children: preact.ComponentChildren;
}) {
  const [done, setDone] = useState<number>();
  const submit = async () => {
    const [chosen, failures]: [Action, Failure[]] = [action(), []];
    for (let at = 0; at < alerts.length; at += AT_ONCE) {
      setDone(at);
      const firings = alerts.slice(at, at + AT_ONCE).map(({ id }) => id);
      const { failed } = await ask(api.post('/firings/bulk', { body: { firings, action: chosen } }));
      for (const { firing_id, error } of failed) {
        failures.push({ alert: alerts.find(({ id }) => id === firing_id), error });
      }
    }
    const n = alerts.length - failures.length;
    close();
    say(many(n, '{n} alert changed.', '{n} alerts changed.'));
    firingsChanged();
    onDone(failures);
  };
  return (
    <Form label={label} submit={submit} onCancel={close}>
      {children}
      {done !== undefined && alerts.length > AT_ONCE && (
        <progress class="wide" max={alerts.length} value={done} aria-label={t('Progress')} />
      )}
    </Form>
  );
}
