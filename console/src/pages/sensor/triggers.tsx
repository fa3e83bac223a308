import { useEffect, useRef } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { formatAge, formatDate, formatShort } from '../../format';
import { many, t } from '../../language';
import { href } from '../../router';
import { Action } from '../../ui/action';
import { Loaded, Status } from '../../ui/page';
import { State } from '../../ui/state';
import { ruleState } from '../../ui/states';
import { Table } from '../../ui/table';
import { useResource } from '../../use-resource';
import { nextStep } from './next-step';
import { ruleText } from './rule-text';

type SensorTrigger = Records['SensorTriggerView'];

interface TriggersProps {
  sensor: Records['OwnedSensorView'];
  /** Number of points and firings that arrived; a change reloads the triggers. */
  news: number;
  onChange: () => void;
  /** Called with the triggers when they are loaded. */
  onTriggers: (triggers: readonly SensorTrigger[]) => void;
}

/** The triggers of a sensor with their states; each links to its decisions. */
export function SensorTriggers({ sensor, news, onChange, onTriggers }: TriggersProps) {
  const triggers = useResource(
    `triggers of ${sensor.id}`,
    async (signal) => {
      const { triggers: found } = await ask(
        api.get('/sensors/{id}/triggers', { params: { path: { id: sensor.id }, query: { per_page: 100 } }, signal }),
      );
      return found;
    },
    { everyMs: 10_000 },
  );
  useEffect(() => onTriggers(triggers.data ?? []), [triggers.data]);
  useSoon(news, triggers.reload);
  const onDone = () => {
    triggers.reload();
    onChange();
  };
  return (
    <Loaded resource={triggers}>
      {(list) =>
        list.length === 0 ? (
          <p class="quiet">
            {t('Nothing watches this sensor. A trigger notifies you when a condition holds, or when no data arrives.')}
          </p>
        ) : (
          <List list={list} sensor={sensor} onDone={onDone} />
        )
      }
    </Loaded>
  );
}

/** A point is evaluated a moment after it arrived. */
const SOON_MS = 700;

/** Acts a moment after the number has changed; changes in that moment are one. */
function useSoon(news: number, act: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (news === 0 || timer.current) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      act();
    }, SOON_MS);
  }, [news]);
  useEffect(() => () => clearTimeout(timer.current), []);
}

interface ListProps {
  sensorId: string;
  onDone: () => void;
}

function List({
  list,
  sensor,
  onDone,
}: Pick<ListProps, 'onDone'> & { list: readonly SensorTrigger[]; sensor: TriggersProps['sensor'] }) {
  const { id: sensorId } = sensor;
  return (
    <Table<SensorTrigger>
      caption={t('Triggers of this sensor')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('Trigger'),
          cell: (one) => (
            <div>
              <a class="strong" href={href(`/triggers/${one.id}?sensor=${sensorId}`)}>
                {one.name}
              </a>
              <div class="quiet small breakable">{ruleText(one, sensor)}</div>
            </div>
          ),
        },
        { name: t('State'), cell: (one) => <StateOf trigger={one} /> },
        { name: t('Last fired'), cell: (one) => <LastFired trigger={one} /> },
        {
          name: t('Actions'),
          right: true,
          cell: (one) => <Buttons trigger={one} {...{ sensorId, onDone }} />,
        },
      ]}
    />
  );
}

function Buttons({ trigger, sensorId, onDone }: ListProps & { trigger: SensorTrigger }) {
  const params = { path: { id: sensorId, trigger_id: trigger.id } };
  const setActive = async (active: boolean) => {
    await ask(api.post('/sensors/{id}/triggers/{trigger_id}/active', { params, body: { active } }));
    onDone();
  };
  return (
    <div class="actions">
      <a
        class="button small-button"
        href={href(`/sensors/${sensorId}/triggers/${trigger.id}`)}
        aria-label={t('Why did {name} fire, or not?', { name: trigger.name })}
      >
        {t('Why?')}
      </a>
      {isMuted(trigger) && <Unmute {...{ trigger, sensorId, onDone }} />}
      <Action
        kind="small-button"
        label={trigger.active ? t('Pause {name}', trigger) : t('Resume {name}', trigger)}
        act={() => setActive(!trigger.active)}
      >
        {trigger.active ? t('Pause') : t('Resume')}
      </Action>
    </div>
  );
}

/** Ends the mute of a trigger on a sensor. */
export function Unmute({
  trigger: { id, name = '' },
  sensorId,
  onDone,
}: ListProps & { trigger: { id: string; name: string | undefined } }) {
  const act = async () => {
    const params = { path: { id: sensorId, trigger_id: id } };
    await ask(api.put('/sensors/{id}/triggers/{trigger_id}', { params, body: { trigger: { muted_until: null } } }));
    onDone();
  };
  return (
    <Action kind="small-button" label={t('Unmute {name}', { name })} act={act}>
      {t('Unmute')}
    </Action>
  );
}

/** The state of a trigger on a sensor, and what it does next by the clock. */
export function StateOf({ trigger }: { trigger: SensorTrigger }) {
  const name = ruleState(trigger);
  const { state, muted_until: until, last_error: error } = trigger;
  if (name === 'paused') return <State of="paused" />;
  const next = error === '' && nextStep(trigger);
  // A value that was stored before the trigger was connected is not evaluated.
  const isWaiting = name === 'ok' && trigger.expression !== null && trigger.last_sensor_data_date === null;
  return (
    <div>
      <span class="tags">
        {isWaiting ? <Status>{t('waiting for the next value')}</Status> : <State of={name} />}
        {error !== '' && state === 'firing' && <State of="broken" />}
        {isMuted(trigger) && <State of="muted">{t('muted until {date}', { date: formatShort(until ?? 0) })}</State>}
      </span>
      {error !== '' && <div class="small quiet breakable">{error}</div>}
      {next && <div class="small quiet">{next}</div>}
      <LateValues late={trigger.late} />
    </div>
  );
}

/** How many values the trigger has not evaluated because they arrived late. */
function LateValues({ late: { count, since, handling } }: Pick<SensorTrigger, 'late'>) {
  if (count === 0 || since === null) return null;
  const values = { date: formatShort(since) };
  const text =
    handling === 'report'
      ? many(
          count,
          'Since {date} {n} value arrived late: it is tried later',
          'Since {date} {n} values arrived late: they are tried later',
          values,
        )
      : many(
          count,
          'Since {date} {n} value arrived late and was not evaluated',
          'Since {date} {n} values arrived late and were not evaluated',
          values,
        );
  return <div class="small quiet">{text}</div>;
}

function isMuted({ muted_until: until }: SensorTrigger): boolean {
  return until !== null && until * 1000 > Date.now();
}

function LastFired({ trigger: { last_triggered: last, times_triggered: times } }: { trigger: SensorTrigger }) {
  if (last === 0) return <span class="quiet">{t('never')}</span>;
  return (
    <span title={formatDate(last)}>
      {formatAge(last)} <span class="quiet">· {times} ×</span>
    </span>
  );
}
