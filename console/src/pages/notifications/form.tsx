import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useDraft } from '../../drafts';
import { t } from '../../language';
import { useAction } from '../../ui/action';
import { DurationField } from '../../ui/duration-field';
import { Check, Field, Refusal } from '../../ui/form';
import type { Channel } from './channels';
import { type Fields, type Hidden, type NewNotification, notificationOf, type Problems, problemsOf } from './draft';
import { PresetFields } from './preset-fields';
import { Preview } from './preview';
import { type PartProps, UrlFields } from './url-fields';

const NO_PROBLEMS: Problems = { fields: {}, rest: undefined };
const SHOWN = [
  ...['destination', 'name', 'text', 'person', 'method', 'headers', 'secrets', 'content_type', 'body', 'body_resolved'],
  ...['body_acknowledged', 'destination_resolved', 'destination_acknowledged', 'ca_certificate', 'success', 'probe'],
];

/** A button that sends the form. */
interface Submit {
  label: string;
  act: (notification: NewNotification) => Promise<void>;
}

interface FormProps {
  channel: Channel;
  /** The notification that is edited; undefined for a new one. */
  id?: string;
  initial: { fields: Fields; hidden: Hidden };
  /** The first one is that of Enter. */
  submits: readonly Submit[];
  onCancel?: () => void;
  /** Shown below the buttons. */
  children?: ComponentChildren;
}

/** The form of a notification next to a preview of what it sends. */
export function NotificationForm({ channel, id, initial, submits, onCancel, children }: FormProps) {
  const [fields, setFields] = useDraft<Fields>(`notification ${id ?? 'new'} ${channel.name}`, initial.fields);
  const [hidden, setHidden] = useState(initial.hidden);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const { busy, run } = useAction();
  const shown = channel.preset
    ? ['name', 'text', 'person', 'probe', ...channel.preset.fields.map(({ name }) => name)]
    : SHOWN;
  const make = () => notificationOf(channel, fields, hidden);
  const submit = ({ act }: Submit) =>
    run(async () => {
      setProblems(NO_PROBLEMS);
      await Promise.resolve()
        .then(() => act(make()))
        .catch((error: unknown) => setProblems(problemsOf(error, shown)));
    });
  const reportPreview = (error: unknown) => {
    const found = error === undefined ? NO_PROBLEMS : problemsOf(error, shown);
    setProblems({ fields: found.fields, rest: undefined });
    return found.rest;
  };
  const change = (changes: Partial<Fields>) => setFields({ ...fields, ...changes });
  return (
    <div class="columns">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const pressed = event.submitter instanceof HTMLButtonElement ? event.submitter.value : '';
          const chosen = submits.find(({ label }) => label === pressed) ?? submits[0];
          if (chosen) void submit(chosen);
        }}
      >
        {problems.rest !== undefined && <Refusal error={problems.rest} />}
        <AllFields channel={channel} part={{ fields, change, hidden, setHidden, problems: problems.fields }} />
        <Buttons submits={submits} busy={busy} onCancel={onCancel} />
        {children}
      </form>
      <Preview id={id} make={make} onError={reportPreview} />
    </div>
  );
}

function Buttons({ submits, busy, onCancel }: Pick<FormProps, 'submits' | 'onCancel'> & { busy: boolean }) {
  return (
    <div class="actions">
      {submits.map(({ label }, at) => (
        <button key={label} type="submit" value={label} class={`button ${at === 0 ? 'primary' : ''}`} disabled={busy}>
          {label}
        </button>
      ))}
      {onCancel && (
        <button type="button" class="button quiet-button" onClick={onCancel}>
          {t('Cancel')}
        </button>
      )}
    </div>
  );
}

function AllFields({ channel, part }: { channel: Channel; part: PartProps }) {
  const { fields, change, problems } = part;
  return (
    <>
      <ChannelFields channel={channel} part={part} />
      <Field
        label={t(channel.name === 'push' ? 'Name of the browser' : 'Name')}
        hint={t('Optional. Shown in lists instead of the destination.')}
        maxLength={100}
        value={fields.name}
        onValue={(name) => change({ name })}
        problem={problems.name}
      />
      <Field
        label={t('Text')}
        rows={3}
        placeholder={t('{name} is at {value}', { name: '{{sensor_name}}', value: '{{sensor_data_value}}' })}
        hint={textHint(channel)}
        value={fields.text}
        onValue={(text) => change({ text })}
        problem={problems.text}
      />
      <Field
        label={t('Who reads it')}
        hint={t('Optional, a name. Alerts that are acknowledged by a link in a message show it.')}
        maxLength={100}
        value={fields.person}
        onValue={(person) => change({ person })}
        problem={problems.person}
      />
      <Check
        label={t('Bundle bursts')}
        checked={fields.digest}
        onChecked={(digest) => change({ digest })}
        hint={t('After 30 alerts in a minute, the others of that minute are sent as one.')}
      />
      <DurationField
        label={t('Send a probe every')}
        hint={t(
          'Optional, from 1 hour to 30 days. A probe is a test that the platform sends automatically, to check that alerts arrive.',
        )}
        unit="86400"
        value={fields.probe}
        onValue={(probe) => change({ probe })}
        problem={problems.probe}
      />
    </>
  );
}

function textHint({ name }: Channel): string {
  const hint = t('Optional. May contain variables: {variables}, or a field of a value: {field}.', {
    variables: '{{sensor_name}}, {{trigger_name}}, {{sensor_data_value}}',
    field: '{{sensor_data_value.temperature}}',
  });
  return name === 'url' ? hint : `${hint} ${t('Without a text, the message states the value and the condition.')}`;
}

function ChannelFields({ channel, part }: { channel: Channel; part: PartProps }) {
  if (channel.preset) return <PresetFields {...part} preset={channel.preset} />;
  if (channel.name === 'push') return null;
  if (channel.name === 'url') return <UrlFields {...part} />;
  if (channel.name !== 'email') {
    return (
      <details class="more" open={Object.keys(part.problems).length > 0 || undefined}>
        <summary>{t('The request to {channel}', { channel: channel.title })}</summary>
        <div class="stack">
          <UrlFields {...part} />
        </div>
      </details>
    );
  }
  return (
    <Field
      label={t('Address')}
      type="email"
      placeholder="ada@example.org"
      hint={t('The owner of another address has to confirm first, with a link in a mail.')}
      value={part.fields.destination}
      onValue={(destination) => part.change({ destination })}
      problem={part.problems.destination}
      required
    />
  );
}
