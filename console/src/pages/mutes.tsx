import { all, api, ask, type Records } from '../api';
import { useDraft } from '../drafts';
import { firstDayOfWeek, formatList, formatShort, TIME_ZONE } from '../format';
import { LOCALE, many, t } from '../language';
import { DeleteButton, DialogButton } from '../ui/dialog';
import { Check, Choices, Field, Form } from '../ui/form';
import { MuteLength } from '../ui/mute-length';
import { Empty, Loaded, Page } from '../ui/page';
import { PickSensors } from '../ui/pick-sensors';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { MutedTriggers } from './mutes/muted-triggers';

type Mute = Records['MuteView'];

/** Quiet hours and maintenance: firings are recorded and not delivered. */
export function MutesPage() {
  const mutes = useResource('mutes', () =>
    all(async (query) => (await ask(api.get('/mutes', { params: { query } }))).mutes),
  );
  const { reload } = mutes;
  return (
    <Page
      title={t('Mutes')}
      crumb={{ path: '/alerts', name: t('Alerts') }}
      lead={t('Quiet hours and maintenance. Firings are still recorded, but nobody is notified.')}
      actions={
        <DialogButton text={t('New mute')} title={t('New mute')} kind="primary">
          {(close) => <NewMute close={close} onDone={reload} />}
        </DialogButton>
      }
    >
      <div class="stack">
        <Loaded resource={mutes}>
          {(list) =>
            list.length === 0 ? (
              <Empty title={t('No mutes')}>
                <p>{t('Mute everything at night, or some sensors during maintenance.')}</p>
              </Empty>
            ) : (
              <List list={list} reload={reload} />
            )
          }
        </Loaded>
        <MutedTriggers />
      </div>
    </Page>
  );
}

function List({ list, reload }: { list: readonly Mute[]; reload: () => void }) {
  return (
    <Table<Mute>
      caption={t('Mutes')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        { name: t('Mute'), cell: ({ name }) => <strong>{name}</strong> },
        { name: t('When'), cell: (mute) => whenOf(mute) },
        { name: t('What'), cell: (mute) => whatOf(mute) },
        {
          name: t('Actions'),
          right: true,
          cell: ({ id, name }) => (
            <DeleteButton
              name={name}
              consequence={t('New alerts are delivered again.')}
              act={async () => {
                await ask(api.delete('/mutes/{id}', { params: { path: { id } } }));
                reload();
              }}
            />
          ),
        },
      ]}
    />
  );
}

const DAY_NAMES = Array.from({ length: 7 }, (_, day) =>
  new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' }).format(new Date(Date.UTC(2026, 10, 1 + day))),
);

/** The days from 0 (Sunday), in the order of the user's week. */
const WEEK = Array.from({ length: 7 }, (_, at) => (firstDayOfWeek() + at) % 7);

function whenOf({ start, end, weekly }: Mute): string {
  const days =
    weekly?.days.length === 7
      ? t('every day')
      : WEEK.filter((day) => weekly?.days.includes(day))
          .map((day) => DAY_NAMES[day])
          .join(', ');
  const hours = weekly && `${days}, ${weekly.from}–${weekly.to} (${weekly.timezone})`;
  const range = [
    start !== null && t('from {date}', { date: formatShort(start) }),
    end !== null && t('until {date}', { date: formatShort(end) }),
  ];
  return [hours, ...range].filter(Boolean).join(' ');
}

function whatOf({ sensors, triggers }: Mute): string {
  const parts = [
    sensors.length > 0 ? many(sensors.length, '{n} sensor', '{n} sensors') : '',
    triggers.length > 0 ? many(triggers.length, '{n} trigger', '{n} triggers') : '',
  ];
  return formatList(parts.filter(Boolean)) || t('everything');
}

interface Weekly {
  days: readonly number[];
  from: string;
  to: string;
}

function NewMute({ close, onDone }: { close: () => void; onDone: () => void }) {
  const [name, setName] = useDraft('mute name', '');
  const [way, setWay] = useDraft<'once' | 'weekly'>('mute way', 'once');
  const [length, setLength] = useDraft('mute length', '3600');
  const [weekly, setWeekly] = useDraft<Weekly>('mute hours', { days: WEEK, from: '22:00', to: '06:00' });
  const [sensors, setSensors] = useDraft<readonly string[]>('mute sensors', []);
  const submit = async () => {
    const now = Math.floor(Date.now() / 1000);
    if (way === 'weekly') checkTimes(weekly);
    const when =
      way === 'once'
        ? { start: now, end: now + Number(length) }
        : { weekly: { ...weekly, days: [...weekly.days].sort(), timezone: TIME_ZONE } };
    const mute = { name, ...when, ...(sensors.length > 0 && { sensors: [...sensors] }) };
    await ask(api.post('/mutes', { body: { mute } }));
    close();
    onDone();
  };
  return (
    <Form label={t('Mute|verb')} submit={submit} onCancel={close}>
      <Field label={t('Name')} value={name} onValue={setName} placeholder={t('Quiet hours')} required />
      <Choices<'once' | 'weekly'>
        label={t('When')}
        value={way}
        onValue={setWay}
        options={[
          ['once', t('From now on')],
          ['weekly', t('Hours of the week')],
        ]}
      />
      {way === 'once' && <MuteLength value={length} onValue={setLength} />}
      {way === 'weekly' && <Hours weekly={weekly} onWeekly={setWeekly} />}
      <PickSensors label={t('Limit to these sensors (optional)')} chosen={sensors} onChosen={setSensors} />
    </Form>
  );
}

/** A time field with an invalid time is empty. */
function checkTimes({ from, to }: Weekly): void {
  if (!from) throw new Error(t('“From” must be a time such as {time}.', { time: '22:00' }));
  if (!to) throw new Error(t('“To” must be a time such as {time}.', { time: '06:00' }));
}

function Hours({ weekly, onWeekly }: { weekly: Weekly; onWeekly: (weekly: Weekly) => void }) {
  const { days, from, to } = weekly;
  const setDay = (day: number, on: boolean) =>
    onWeekly({ ...weekly, days: on ? [...days, day] : days.filter((one) => one !== day) });
  return (
    <>
      <fieldset class="line">
        <legend class="label">{t('Days')}</legend>
        {WEEK.map((day) => (
          <Check key={day} label={DAY_NAMES[day]} checked={days.includes(day)} onChecked={(on) => setDay(day, on)} />
        ))}
      </fieldset>
      <Field label={t('From')} type="time" value={from} onValue={(value) => onWeekly({ ...weekly, from: value })} />
      <Field
        label={t('To|time')}
        type="time"
        value={to}
        onValue={(value) => onWeekly({ ...weekly, to: value })}
        hint={t('Times are in {zone}. A night counts for the day it starts.', { zone: TIME_ZONE })}
      />
    </>
  );
}
