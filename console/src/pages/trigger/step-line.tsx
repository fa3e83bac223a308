import { api, ask, type Records } from '../../api';
import { nameOf } from '../../destination';
import { formatDuration, formatMany, sensorName } from '../../format';
import { DialogButton } from '../../ui/dialog';
import { useResource } from '../../use-resource';
import { groupsOf, type Step, type StepGroup, withDelay, withoutGroup } from './escalation';
import { ChangeDelay } from './step-dialogs';

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
    <ol class="escalation" aria-label="Steps">
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
  const destination = notification ? nameOf(notification) : `notification ${group.notification}`;
  const when = after === 0 ? 'At once' : `After ${formatDuration(after)}`;
  const where = sensors ? ` on ${formatMany(sensors.length, 'sensor')}` : '';
  return (
    <li>
      <div class="step">
        <strong>{when}</strong> <span class="only-read">to</span> <span class="breakable">{destination}</span>
        <Notes notification={notification} sensors={sensors} />
      </div>
      <div class="actions">
        <DialogButton
          text="Change"
          title={`When ${destination} is notified`}
          kind="quiet-button small-button"
          label={`Change when ${destination} is notified${where}`}
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
          aria-label={`Remove the step to ${destination}${where}`}
          onClick={onRemove}
        >
          Remove
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
      {sensors && (
        <>
          only on <SensorsOf ids={sensors} />
        </>
      )}
      {sensors && why && ', '}
      {why}
    </div>
  );
}

function SensorsOf({ ids }: { ids: readonly string[] }) {
  const [id = ''] = ids;
  const sensor = useResource(`sensor of a step ${id}`, (signal) =>
    ask(api.get('/sensors/{id}', { params: { path: { id } }, signal })),
  );
  if (ids.length > 1) return <>{formatMany(ids.length, 'sensor')}</>;
  return <>{sensor.data ? sensorName(sensor.data.sensor) : `sensor ${id}`}</>;
}

/** Why a notification sends nothing; undefined if it sends. */
function whyNot({ enabled, confirmed }: Notification): string | undefined {
  if (!enabled) return 'switched off';
  return confirmed ? undefined : 'not confirmed yet, by the link in a mail to it';
}
