import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { useDraft } from '../../drafts';
import { firingsChanged } from '../../firing-stream';
import { many, type PlainText, t } from '../../language';
import { DialogButton } from '../../ui/dialog';
import { Field, Form, Select } from '../../ui/form';
import { say } from '../../ui/toast';
import type { Alert } from './load';

type Action = Records['BulkFiringActions'];

/** An alert on which an action failed, and why. */
export interface Failure {
  alert: Alert | undefined;
  error: string;
}

/** Number of alerts of a request: small enough for a progress bar, and one request for most operators. */
const AT_ONCE = 100;

const DURATIONS: readonly (readonly [seconds: number, text: PlainText])[] = [
  [3_600, 'an hour'],
  [28_800, '8 hours'],
  [86_400, 'a day'],
  [604_800, 'a week'],
];

interface ActionsProps {
  alerts: readonly Alert[];
  /** For screen readers, if there is one alert. */
  name?: string;
  onDone: (failures: Failure[]) => void;
}

/** Buttons that acknowledge, resolve or mute open alerts, one or many. */
export function AlertActions({ alerts, name, onDone }: ActionsProps) {
  const open = alerts.filter(({ latest }) => !latest.acknowledged);
  const kind = name === undefined ? '' : 'small-button';
  const label = (text: string) => (name === undefined ? text : `${text} ${name}`);
  const n = alerts.length;
  const shared = { onDone, name };
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
      <DialogButton
        text={t('Mute')}
        kind={kind}
        label={label(t('Mute'))}
        title={titleOf(name, t('Mute'), many(n, 'Mute {n} alert', 'Mute {n} alerts'))}
      >
        {(close) => <Mute {...shared} alerts={alerts} close={close} />}
      </DialogButton>
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
  const [seconds, setSeconds] = useState(String(DURATIONS[0]?.[0]));
  const end = () => Math.floor(Date.now() / 1000) + Number(seconds);
  return (
    <ActionForm {...props} label={t('Mute')} action={() => ({ mute: { end: end() } })}>
      <p class="quiet">{t('Firings are still recorded, but nobody is notified.')}</p>
      <Select
        label={t('For|duration')}
        value={seconds}
        onValue={setSeconds}
        options={DURATIONS.map(([value, text]) => [String(value), t(text)] as const)}
      />
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
}: FormProps & { label: string; action: () => Action; children: preact.ComponentChildren }) {
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
