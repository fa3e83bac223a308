import { api, ask, type Records, sentence } from '../../api';
import { useDraft } from '../../drafts';
import { useUser } from '../../session';
import { DurationField } from '../../ui/duration-field';
import { Check, Choices, Field, Form } from '../../ui/form';
import { say } from '../../ui/toast';

type Notification = Records['NotificationView'];
type Channel = Records['ChannelType'];
type Edited = Pick<Notification, 'type' | 'destination' | 'text' | 'format' | 'digest' | 'probe' | 'name'>;

const CHANNELS: readonly (readonly [Channel, string])[] = [
  ['email', 'Email'],
  ['url', 'Webhook'],
];
const FORMATS: readonly (readonly [Edited['format'], string])[] = [
  ['form', 'Form'],
  ['json', 'JSON'],
];

/** Creates a notification. */
export function NewNotification({ onDone, onCancel }: { onDone: (id: string) => void; onCancel: () => void }) {
  const { email } = useUser();
  return (
    <Fields
      initial={{ type: 'email', destination: email, text: '', format: 'form', digest: true, probe: null }}
      label="Create"
      onCancel={onCancel}
      send={async (notification) => {
        const made = await ask(api.post('/notifications', { body: { notification } }));
        if (made.warning) say(sentence(made.warning));
        onDone(made.notification.id);
      }}
    />
  );
}

/** Edits a notification. */
export function EditNotification({
  notification,
  onDone,
  onCancel,
}: {
  notification: Notification;
  onDone: () => void;
  onCancel: () => void;
}) {
  return (
    <Fields
      initial={notification}
      label="Save"
      onCancel={onCancel}
      send={async (changes) => {
        const path = { id: notification.id };
        const { warning } = await ask(
          api.put('/notifications/{id}', { params: { path }, body: { notification: changes } }),
        );
        if (warning) say(sentence(warning));
        onDone();
      }}
    />
  );
}

function Fields({
  initial,
  label,
  send,
  onCancel,
}: {
  initial: Edited;
  label: string;
  send: (fields: Edited) => Promise<void>;
  onCancel: () => void;
}) {
  const { type, destination, text, format, digest, probe, name } = initial;
  const [fields, setFields] = useDraft<Edited>(`notification ${initial.destination}`, {
    type,
    destination,
    text,
    format,
    digest,
    probe,
    ...(type === 'push' && { name: name ?? '' }),
  });
  const change = (changes: Partial<Edited>) => setFields({ ...fields, ...changes });
  return (
    <Form label={label} onCancel={onCancel} submit={() => send(fields)}>
      {initial.type === 'push' ? (
        <Field
          label="Name of the browser"
          maxLength={100}
          value={fields.name ?? ''}
          onValue={(value) => change({ name: value })}
        />
      ) : (
        <Where initial={initial} fields={fields} change={change} />
      )}
      <Field
        label="Text"
        rows={3}
        placeholder="{{sensor_name}} is at {{sensor_data_value}}"
        hint="Optional. {{sensor_name}}, {{trigger_name}}, {{sensor_data_value}}, a field of it as {{sensor_data_value.temperature}}, and the other variables are replaced."
        value={fields.text}
        onValue={(value) => change({ text: value })}
      />
      <Check
        label="Bundle bursts"
        checked={fields.digest}
        onChecked={(on) => change({ digest: on })}
        hint="After 30 alerts in a minute, the rest of that minute goes out as one."
      />
      <DurationField
        label="Send a probe every"
        hint="Optional, from 1 hour to 30 days: a test by the clock, which shows that alerts would arrive."
        value={fields.probe === null ? '' : String(fields.probe)}
        onValue={(seconds) => change({ probe: seconds === '' ? null : Number(seconds) })}
      />
    </Form>
  );
}

interface PartProps {
  initial: Edited;
  fields: Edited;
  change: (changes: Partial<Edited>) => void;
}

/** The channel and the destination; a typed address is kept when the channel changes. */
function Where({ initial, fields: { type, destination, format }, change }: PartProps) {
  const choose = (chosen: Channel) => {
    const isTyped = destination !== initial.destination && destination !== '';
    change({ type: chosen, ...(!isTyped && { destination: chosen === initial.type ? initial.destination : '' }) });
  };
  return (
    <>
      <div class="field">
        <span class="label">By</span>
        <div>
          <Choices<Channel> label="By" value={type} onValue={choose} options={CHANNELS} />
        </div>
      </div>
      <Field
        label={type === 'email' ? 'Address' : 'URL'}
        type={type === 'email' ? 'email' : 'url'}
        placeholder={type === 'email' ? 'ada@example.org' : 'https://example.org/alerts'}
        hint={
          type === 'email'
            ? 'An address that is not your own has to confirm first, by a link in a mail.'
            : 'Gets a signed POST request for each alert.'
        }
        value={destination}
        onValue={(value) => change({ destination: value })}
        required
      />
      {type === 'url' && (
        <Choices<Edited['format']>
          label="Body"
          value={format}
          onValue={(value) => change({ format: value })}
          options={FORMATS}
        />
      )}
    </>
  );
}
