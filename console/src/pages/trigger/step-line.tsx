import { api, ask, type Records } from '../../api';
import { nameOf } from '../../destination';
import { formatDuration } from '../../format';
import { many, t, tx } from '../../language';
import { DialogButton } from '../../ui/dialog';
import { useResource } from '../../use-resource';
import { ChangeDelay } from '../forms';
import { useSensorNames } from '../names';
import { groupsOf, type Step, type StepGroup, withDelay, withoutGroup } from './escalation';

type Notification = Records['NotificationView'];

interface LineProps {
  steps: readonly Step[];
  onSteps: (steps: Step[]) => void;
  list: readonly Notification[];
}

/** The steps of an escalation in the order of their delays. */
export function StepLine({ steps, onSteps, list }: LineProps) {
  const groups = groupsOf(steps);
  if (groups.length === 0) return null;
  return (
    <ol class="escalation" aria-label={t('Steps')}>
      {groups.map((group) => (
        <StepItem
          key={`${group.notification} ${group.after} ${group.sensors === undefined}`}
          group={group}
          notification={list.find(({ id }) => id === group.notification)}
          onDelay={(after) => onSteps(withDelay(steps, group, after))}
          onRemove={() => onSteps(withoutGroup(steps, group))}
        />
      ))}
    </ol>
  );
}

interface ItemProps {
  group: StepGroup;
  notification: Notification | undefined;
  onDelay: (after: number) => void;
  onRemove: () => void;
}

function StepItem({ group, notification, onDelay, onRemove }: ItemProps) {
  const { after, sensors } = group;
  const destination = notification ? nameOf(notification) : t('Notification {id}', { id: group.notification });
  const when = after === 0 ? t('At once') : t('After {duration}', { duration: formatDuration(after) });
  const where = sensors ? many(sensors.length, 'on {n} sensor', 'on {n} sensors') : '';
  return (
    <li>
      <div class="step">
        <strong>{when}</strong> <span class="only-read">{t('to')}</span> <span class="breakable">{destination}</span>
        <Notes notification={notification} sensors={sensors} />
      </div>
      <div class="actions">
        <DialogButton
          text={t('Change')}
          title={t('When {destination} is notified', { destination })}
          kind="quiet-button small-button"
          label={[t('Change when {destination} is notified', { destination }), where].filter(Boolean).join(' ')}
        >
          {(close) => (
            <ChangeDelay
              after={after}
              onCancel={close}
              onDone={(changed) => {
                onDelay(changed);
                close();
              }}
            />
          )}
        </DialogButton>
        <button
          type="button"
          class="button quiet-button small-button"
          aria-label={[t('Remove the step to {destination}', { destination }), where].filter(Boolean).join(' ')}
          onClick={onRemove}
        >
          {t('Remove')}
        </button>
      </div>
    </li>
  );
}

/** Where the step does not hold for all sensors, or its notification sends nothing at present. */
function Notes({ notification, sensors }: { notification: Notification | undefined; sensors?: readonly string[] }) {
  const why = notification && whyNot(notification);
  if (!sensors && !why) return null;
  return (
    <div class="hint">
      {sensors && tx('only on {sensors}', { sensors: <SensorsOf ids={sensors} /> })}
      {sensors && why && ', '}
      {why}
    </div>
  );
}

function SensorsOf({ ids }: { ids: readonly string[] }) {
  const fullNameOf = useSensorNames();
  const [id = ''] = ids;
  const sensor = useResource(`sensor of a step ${id}`, (signal) =>
    ask(api.get('/sensors/{id}', { params: { path: { id } }, signal })),
  );
  if (ids.length > 1) return <>{t('{n} sensors', { n: ids.length })}</>;
  return <>{sensor.data ? fullNameOf(sensor.data.sensor) : t('Sensor {id}', { id })}</>;
}

/** Why a notification sends nothing; undefined if it sends. */
function whyNot({ enabled, confirmed }: Notification): string | undefined {
  if (!enabled) return t('switched off');
  return confirmed ? undefined : t('not confirmed yet with the link in the mail');
}
