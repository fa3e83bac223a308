import { useState } from 'preact/hooks';
import { useDraft } from '../../drafts';
import { many, type PlainText, t } from '../../language';
import { Field, Form, Select } from '../../ui/form';
import { MuteLength } from '../../ui/mute-length';
import { Loaded } from '../../ui/page';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';
import { LOADERS, type Options } from '../names';
import { type BulkAction, type BulkOutcome, changeSensors, loadReaders } from './bulk';
import { fullName } from './differences';
import type { Sensor } from './load';
import { readValues } from './tag-values';

type Kind = Exclude<keyof BulkAction, undefined>;
type Thing = 'trigger' | 'group' | 'environment' | 'reader';

/** The actions, the text of their buttons, and the thing that they need. */
const ACTIONS: readonly (readonly [Kind, PlainText, Thing | undefined])[] = [
  ['connect_trigger', 'Connect a trigger', 'trigger'],
  ['disconnect_trigger', 'Disconnect a trigger', 'trigger'],
  ['share', 'Share with a user', undefined],
  ['unshare', 'Stop sharing with a user', 'reader'],
  ['add_to_group', 'Add to a group', 'group'],
  ['add_to_environment', 'Add to an environment', 'environment'],
  ['set_metatags', 'Set a metatag', undefined],
  ['mute', 'Mute', undefined],
  ['delete', 'Delete', undefined],
];

const THINGS: Readonly<Record<Thing, readonly [label: PlainText, none: PlainText]>> = {
  trigger: ['Trigger', 'You have no triggers yet.'],
  group: ['Group', 'You are not a member of a group.'],
  environment: ['Environment', 'You have no environments yet.'],
  reader: ['User', 'You share no sensors with a user.'],
};

/** The fields of all actions, as texts. */
const EMPTY = { kind: 'connect_trigger' as Kind, id: '', username: '', tag: '', values: '', seconds: '3600' };
type Fields = typeof EMPTY;

interface ChangeProps {
  /** The sensors to change. */
  sensors: readonly Sensor[];
  close: () => void;
  /** Called after a change, with the sensors on which it was refused. */
  onChanged: (refused: readonly string[]) => void;
}

/** One action on many sensors; then the sensors on which it was refused, and why. */
export function ChangeSensors({ sensors, close, onChanged }: ChangeProps) {
  const [fields, setFields] = useDraft<Fields>('change', EMPTY);
  const [progress, setProgress] = useState<number>();
  const [outcome, setOutcome] = useState<BulkOutcome>();
  const { length } = sensors;
  if (outcome) return <Outcome outcome={outcome} sensors={sensors} close={close} />;
  const submit = async () => {
    const ids = sensors.map(({ id }) => id);
    setProgress(0);
    const result = await changeSensors(ids, actionOf(fields), setProgress).finally(() => setProgress(undefined));
    const refused = [...result.refused.values()].flat();
    onChanged(refused);
    if (refused.length > 0 || result.warning) {
      setOutcome(result);
      return;
    }
    say(many(result.done, '{n} sensor changed.', '{n} sensors changed.'));
    close();
  };
  const [, name, thing] = ACTIONS.find(([kind]) => kind === fields.kind) ?? ACTIONS[0] ?? [];
  return (
    <Form
      label={
        progress === undefined
          ? many(length, '{action}: {n} sensor', '{action}: {n} sensors', { action: t(name ?? 'Mute') })
          : t('{done} of {total} …', { done: progress, total: length })
      }
      kind={fields.kind === 'delete' ? 'danger' : 'primary'}
      ready={isReady(fields, thing)}
      submit={submit}
      onCancel={close}
    >
      <Select
        label={t('Action')}
        value={fields.kind}
        onValue={(kind) => setFields({ ...fields, kind: kind as Kind, id: '' })} // of the options below
        options={ACTIONS.map(([kind, text]) => [kind, t(text)] as const)}
      />
      {thing && <Things thing={thing} value={fields.id} onValue={(id) => setFields({ ...fields, id })} />}
      <OwnFields fields={fields} onFields={setFields} count={length} />
    </Form>
  );
}

function Things({ thing, value, onValue }: { thing: Thing; value: string; onValue: (id: string) => void }) {
  const options = useResource<Options>(thing, thing === 'reader' ? loadReaders : LOADERS[thing]);
  const [label, none] = THINGS[thing];
  return (
    <Loaded resource={options}>
      {(list) =>
        list.length === 0 ? (
          <p class="quiet">{t(none)}</p>
        ) : (
          <Select label={t(label)} value={value} onValue={onValue} options={[['', t('Choose …')], ...list]} />
        )
      }
    </Loaded>
  );
}

/** The fields of the actions that need no other thing. */
function OwnFields({ fields, onFields, count }: { fields: Fields; onFields: (fields: Fields) => void; count: number }) {
  const bind = (name: 'username' | 'tag' | 'values' | 'seconds') => ({
    value: fields[name],
    onValue: (value: string) => onFields({ ...fields, [name]: value }),
  });
  switch (fields.kind) {
    case 'share':
      return <Field label={t('Username')} {...bind('username')} />;
    case 'set_metatags':
      return (
        <div class="pair">
          <Field label={t('Metatag')} placeholder="floor" maxLength={32} {...bind('tag')} />
          <Field
            label={t('Values')}
            hint={t('Separated by commas. They replace the present ones; none removes the metatag.')}
            {...bind('values')}
          />
        </div>
      );
    case 'mute':
      return (
        <>
          <p class="quiet">{t('Firings are still recorded, but nobody is notified.')}</p>
          <MuteLength {...bind('seconds')} />
        </>
      );
    case 'delete':
      return (
        <p class="message warn">
          {many(
            count,
            'Deletes {n} sensor and all its data for everyone. This cannot be undone.',
            'Deletes {n} sensors and all their data for everyone. This cannot be undone.',
          )}
        </p>
      );
    default:
      return null;
  }
}

function isReady({ kind, id, username, tag }: Fields, thing: Thing | undefined): boolean {
  if (thing) return id !== '';
  if (kind === 'share') return username.trim() !== '';
  return kind !== 'set_metatags' || tag.trim() !== '';
}

function actionOf({ kind, id, username, tag, values, seconds }: Fields): BulkAction {
  switch (kind) {
    case 'share':
      return { share: { username: username.trim() } };
    case 'set_metatags': {
      return { set_metatags: { metatags: { [tag.trim()]: readValues(values) } as never } }; // any names
    }
    case 'mute':
      return { mute: { name: t('Many sensors'), end: Math.floor(Date.now() / 1000) + Number(seconds) } };
    case 'delete':
      return { delete: {} };
    default:
      return { [kind]: { id } };
  }
}

/** The sensors on which an action was refused. */
export function Outcome({
  outcome: { done, refused, warning },
  sensors,
  close,
}: {
  outcome: BulkOutcome;
  sensors: readonly Sensor[];
  close: () => void;
}) {
  const names = new Map(sensors.map((sensor) => [sensor.id, fullName(sensor)]));
  return (
    <div class="form" role="status">
      <p>{many(done, '{n} sensor changed.', '{n} sensors changed.')}</p>
      {warning && <p class="message warn">{warning}</p>}
      {[...refused].map(([why, ids]) => (
        <div key={why} class="stack tight">
          <p class="message error">
            {many(ids.length, '{n} sensor was not changed: {why}', '{n} sensors were not changed: {why}', { why })}
          </p>
          <ul class="pick">
            {ids.map((id) => (
              <li key={id}>{names.get(id)}</li>
            ))}
          </ul>
        </div>
      ))}
      <div class="actions">
        <button type="button" class="button primary" onClick={close}>
          {t('Close')}
        </button>
      </div>
    </div>
  );
}
