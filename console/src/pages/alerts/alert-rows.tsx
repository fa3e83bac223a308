import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { formatAge, formatDate, formatDuration, formatShort, formatValue, personName } from '../../format';
import { href } from '../../router';
import { useUser } from '../../session';
import { Action } from '../../ui/action';
import { DialogButton } from '../../ui/dialog';
import { Field, Form } from '../../ui/form';
import { Status } from '../../ui/page';
import { Table } from '../../ui/table';
import { sensorOf, triggerOf } from '../deliveries/summary';
import type { Names } from '../names';
import { chartPath, dateOf } from '../sensor/firings';

type Firing = Records['FiringView'];

/** Alerts in a table; open ones can be acknowledged, resolved and muted. */
export function AlertRows({
  firings,
  names,
  reload,
}: {
  firings: readonly Firing[];
  names: Names;
  reload: () => void;
}) {
  return (
    <Table<Firing>
      caption="Alerts"
      rows={firings}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Alert',
          cell: (firing) => <Where firing={firing} names={names} />,
        },
        { name: 'Severity', cell: ({ severity }) => <Status kind={SEVERITIES[severity]}>{severity}</Status> },
        { name: 'State', cell: (firing) => <State firing={firing} /> },
        { name: 'Value', cell: (firing) => <span class="numbers">{valueText(firing)}</span> },
        {
          name: 'Since',
          cell: ({ date, ended }) => (
            <div title={formatDate(date)}>
              {formatAge(date)}
              {ended !== null && <div class="small quiet">for {formatDuration(Math.max(0, ended - date))}</div>}
            </div>
          ),
        },
        { name: 'Actions', right: true, cell: (firing) => <Buttons {...{ firing, names, reload }} /> },
      ]}
    />
  );
}

function Where({ firing, names }: { firing: Firing; names: Names }) {
  return (
    <div>
      <a class="strong" href={href(`/sensors/${firing.sensor_id}/triggers/${firing.trigger_id}`)}>
        {triggerOf(firing.trigger_id, names)}
      </a>
      <div class="small quiet">
        on <a href={href(chartPath(firing.sensor_id, dateOf(firing)))}>{sensorOf(firing.sensor_id, names)}</a>
      </div>
    </div>
  );
}

const SEVERITIES = { info: undefined, warning: 'warn', critical: 'bad' } as const;

const RESOLVED_BY: Record<string, string> = { data: 'by data', user: 'by hand', edit: 'by a change of the trigger' };

function State({ firing: { ended, resolved_by: by, acknowledged, muted } }: { firing: Firing }) {
  return (
    <div class="stack tight">
      <span class="tags">
        <Status kind={ended === null ? 'bad' : 'good'}>{ended === null ? 'firing' : 'resolved'}</Status>
        {acknowledged && <Status kind="warn">acknowledged</Status>}
        {muted && <Status>muted</Status>}
      </span>
      {by && <span class="small quiet">{RESOLVED_BY[by] ?? by}</span>}
      {acknowledged && <Acknowledged {...acknowledged} />}
    </div>
  );
}

/** The user who acknowledged it, and their note. */
function Acknowledged({ user_id: id, date, note }: Records['AcknowledgedView']) {
  const user = useUser();
  return (
    <span class="small quiet breakable">
      {note.startsWith('by the link in ')
        ? note
        : `${note && `“${note}” `}by ${id === user.id ? 'you' : personName({ id })}`}
      , {formatShort(date)}
    </span>
  );
}

function valueText({ reason, variables }: Firing): string {
  const value: unknown = Object(variables).sensor_data_value;
  if (reason === 'inactivity' || value === undefined || value === null) return 'no data';
  return formatValue(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const MUTED_SECONDS = 3_600;

function Buttons({ firing, names, reload }: { firing: Firing; names: Names; reload: () => void }) {
  const { id, sensor_id, trigger_id, ended, acknowledged } = firing;
  if (ended !== null) return null;
  const name = names.triggers.get(trigger_id) ?? 'alert';
  const resolve = async () => {
    await ask(api.post('/firings/{id}/resolve', { params: { path: { id } } }));
    reload();
  };
  const mute = async () => {
    const trigger = { muted_until: Math.floor(Date.now() / 1000) + MUTED_SECONDS };
    const path = { id: sensor_id, trigger_id };
    await ask(api.put('/sensors/{id}/triggers/{trigger_id}', { params: { path }, body: { trigger } }));
    reload();
  };
  return (
    <div class="actions">
      {!acknowledged && <AcknowledgeButton id={id} name={name} reload={reload} />}
      <Action kind="small-button" label={`Resolve ${name}`} act={resolve}>
        Resolve
      </Action>
      <Action
        kind="small-button"
        label={`Mute for an hour ${name}`}
        done="Muted for an hour: firings are recorded, and nobody is notified."
        act={mute}
      >
        Mute for an hour
      </Action>
    </div>
  );
}

function AcknowledgeButton({ id, name, reload }: { id: string; name: string; reload: () => void }) {
  const send = async (note: string) => {
    await ask(api.post('/firings/{id}/acknowledge', { params: { path: { id } }, body: { ...(note && { note }) } }));
    reload();
  };
  return (
    <DialogButton
      text="Acknowledge"
      title={`Acknowledge “${name}”`}
      kind="small-button primary"
      label={`Acknowledge ${name}`}
    >
      {(close) => <Acknowledge onCancel={close} send={(note) => send(note).then(close)} />}
    </DialogButton>
  );
}

function Acknowledge({ send, onCancel }: { send: (note: string) => Promise<void>; onCancel: () => void }) {
  const [note, setNote] = useState('');
  return (
    <Form label="Acknowledge" submit={() => send(note)} onCancel={onCancel}>
      <p class="quiet">Lets everyone know you are on it. The alert will not repeat until it is over.</p>
      <Field label="Note" value={note} onValue={setNote} placeholder="I am on my way" />
    </Form>
  );
}
