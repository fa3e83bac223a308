import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { useDraft } from '../../drafts';
import { firingsChanged } from '../../firing-stream';
import { many, t } from '../../language';
import { useUser } from '../../session';
import { Action } from '../../ui/action';
import { DialogButton } from '../../ui/dialog';
import { Field, Form } from '../../ui/form';
import { MuteLength, muteLengths } from '../../ui/mute-length';
import { say } from '../../ui/toast';
import { Assign } from '../forms';
import { Unmute } from '../sensor/triggers';
import type { Alert } from './load';

type Change = Records['BulkFiringActions'];

/** An alert on which an action failed, and why. */
export interface Failure {
  alert: Alert | undefined;
  error: string;
}

/** Number of alerts of a request: small enough for a progress bar, and one request for most operators. */
const AT_ONCE = 100;

interface ActionsProps {
  alerts: readonly Alert[];
  onDone: (failures: Failure[]) => void;
}

/** Buttons that acknowledge, mute or resolve the selected alerts. */
export function ManyActions(props: ActionsProps) {
  const open = props.alerts.filter(({ latest }) => !latest.acknowledged);
  const n = props.alerts.length;
  return (
    <div class="actions">
      {open.length > 0 && (
        <DialogButton
          text={t('Acknowledge')}
          kind="primary"
          title={many(open.length, 'Acknowledge {n} alert', 'Acknowledge {n} alerts')}
        >
          {(close) => <Acknowledge {...props} alerts={open} close={close} />}
        </DialogButton>
      )}
      <DialogButton text={t('Mute')} title={many(n, 'Mute {n} alert', 'Mute {n} alerts')}>
        {(close) => <Mute {...props} close={close} />}
      </DialogButton>
      <DialogButton text={t('Resolve')} title={many(n, 'Resolve {n} alert', 'Resolve {n} alerts')}>
        {(close) => <Resolve {...props} close={close} onCancel={close} />}
      </DialogButton>
    </div>
  );
}

/** Buttons that acknowledge an open alert, and mute, unmute or resolve it. `name` is for screen readers. */
export function AlertActions({ alert, name, onDone }: { alert: Alert; name: string } & Pick<ActionsProps, 'onDone'>) {
  const { latest } = alert;
  const isOwn = latest.owner_id === useUser().id;
  const shared = { alerts: [alert], onDone };
  const isMuted = isOwn && latest.muted_now?.by === 'trigger';
  return (
    <div class="actions">
      {!latest.acknowledged && (
        <DialogButton
          text={t('Acknowledge')}
          kind="small-button main-action"
          label={`${t('Acknowledge')} ${name}`}
          title={`${t('Acknowledge')}: ${t('“{name}”', { name })}`}
        >
          {(close) => <Acknowledge {...shared} close={close} />}
        </DialogButton>
      )}
      {isMuted && (
        <Unmute sensorId={latest.sensor_id} trigger={{ id: latest.trigger_id, name }} onDone={firingsChanged} />
      )}
      <DialogButton
        text={isMuted ? t('Resolve') : t('Mute …')}
        kind="small-button"
        label={isMuted ? `${t('Resolve')} ${name}` : t('Mute or resolve {name}', { name })}
        title={t('“{name}”', { name })}
      >
        {(close) => (
          <div class="stack">
            {!isMuted && <QuickMute {...shared} close={close} />}
            <Resolve {...shared} close={close} onCancel={close} />
            {latest.group_id && <Assign firing={latest} onDone={close} />}
          </div>
        )}
      </DialogButton>
    </div>
  );
}

type FormProps = ActionsProps & { close: () => void };

function Acknowledge(props: FormProps) {
  const [note, setNote] = useDraft(`note ${props.alerts.map(({ id }) => id)}`, '');
  const change = { acknowledge: note ? { note } : {} };
  return (
    <ChangeForm {...props} label={t('Acknowledge')} change={() => change} onCancel={props.close}>
      <p class="quiet">{t('Lets everyone know you are on it. The alert will not repeat until it is over.')}</p>
      <Field
        label={t('Note')}
        value={note}
        onValue={setNote}
        maxLength={1_000}
        placeholder={t('Optional, for example: I am on my way')}
      />
    </ChangeForm>
  );
}

function Resolve(props: FormProps & { onCancel: () => void }) {
  return (
    <ChangeForm {...props} label={t('Resolve')} kind="" change={() => ({ resolve: {} })}>
      <p class="quiet">{t('Ends the alert by hand. It fires again if its cause goes on.')}</p>
    </ChangeForm>
  );
}

const isQuiet = () => t('Firings are still recorded, but nobody is notified.');

function Mute(props: FormProps) {
  const [seconds, setSeconds] = useState('3600');
  const change = () => ({ mute: { end: endIn(Number(seconds)) } });
  return (
    <ChangeForm {...props} label={t('Mute')} change={change} onCancel={props.close}>
      <p class="quiet">{isQuiet()}</p>
      <MuteLength value={seconds} onValue={setSeconds} />
    </ChangeForm>
  );
}

/** Mutes one alert with one more click. */
function QuickMute(props: FormProps) {
  const { apply } = useChange(props);
  return (
    <div class="stack tight">
      <h3>{t('Mute')}</h3>
      <p class="quiet">{isQuiet()}</p>
      <div class="actions">
        {muteLengths().map(([seconds, text]) => (
          <Action key={text} kind="small-button" act={() => apply({ mute: { end: endIn(seconds) } })}>
            {text}
          </Action>
        ))}
      </div>
    </div>
  );
}

function endIn(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

/** Changes all alerts, some at a time; `done` is the number of those that are, while it runs. */
function useChange({ alerts, close, onDone }: FormProps) {
  const [done, setDone] = useState<number>();
  const apply = async (change: Change) => {
    const failures: Failure[] = [];
    for (let at = 0; at < alerts.length; at += AT_ONCE) {
      setDone(at);
      const firings = alerts.slice(at, at + AT_ONCE).map(({ id }) => id);
      const { failed } = await ask(api.post('/firings/bulk', { body: { firings, action: change } }));
      for (const { firing_id, error } of failed) {
        failures.push({ alert: alerts.find(({ id }) => id === firing_id), error });
      }
    }
    close();
    say(doneText(change, alerts.length - failures.length));
    firingsChanged();
    onDone(failures);
  };
  return { done, apply };
}

function doneText({ acknowledge, mute }: Change, n: number): string {
  if (acknowledge) return many(n, '{n} alert acknowledged.', '{n} alerts acknowledged.');
  return mute
    ? many(n, '{n} alert muted.', '{n} alerts muted.')
    : many(n, '{n} alert resolved.', '{n} alerts resolved.');
}

interface ChangeProps extends FormProps {
  label: string;
  kind?: string;
  change: () => Change;
  onCancel: () => void;
  children: preact.ComponentChildren;
}

/** Confirms a change of alerts, with a progress bar where it takes several requests. */
function ChangeForm({ label, kind = 'primary', change, onCancel, children, ...props }: ChangeProps) {
  const { done, apply } = useChange(props);
  const { length } = props.alerts;
  return (
    <Form label={label} kind={kind} submit={() => apply(change())} onCancel={onCancel}>
      {children}
      {done !== undefined && length > AT_ONCE && (
        <progress class="wide" max={length} value={done} aria-label={t('Progress')} />
      )}
    </Form>
  );
}
