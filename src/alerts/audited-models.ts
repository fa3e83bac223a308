import type { AuditedModel, Parent } from '../audit';
import { Mute } from '../storage/models/mute.model';
import { SensorTrigger } from '../storage/models/sensor-trigger.model';
import { SensorTriggerNotification } from '../storage/models/sensor-trigger-notification.model';
import { Trigger } from '../storage/models/trigger.model';
import { TriggerNotification } from '../storage/models/trigger-notification.model';
import { TriggerShadow } from '../storage/models/trigger-shadow.model';

const TRIGGER: Parent = { from: 'triggers', key: 'id', owner: 'owner_id', name: 'name' };
const CONNECTED_TRIGGER: Parent = {
  from: 'sensor_triggers st JOIN triggers t ON t.id = st.trigger_id',
  ...{ key: 'st.id', id: 't.id', owner: 't.owner_id', name: 't.name' },
};

const RULE = ['expression', 'inactivity', 'hold', 'repeat', 'resolveExpression', 'keepFiringFor', 'timezone'];

export const auditedModels: readonly AuditedModel[] = [
  {
    ...{ model: Trigger, kind: 'trigger', name: 'name', owner: 'ownerId' },
    shown: [
      ...['name', ...RULE, 'notifyResolved', 'resolvedText', 'severity', 'late', 'selector'],
      ...['parentId', 'parentLabel', 'parentWaitS', 'groupId'],
    ],
    quiet: ['selectedSensors', 'selectorError', 'version', 'createdMs'],
  },
  {
    ...{ model: TriggerShadow, kind: 'shadow', id: 'triggerId', owner: 'ownerId' },
    parent: { by: TRIGGER, key: 'triggerId' },
    shown: [...RULE, 'untilMs'],
    quiet: ['id', 'createdMs', 'endedMs', 'untried'],
  },
  {
    ...{ model: SensorTrigger, kind: 'trigger', id: 'triggerId', parent: { by: TRIGGER, key: 'triggerId' } },
    item: { list: 'sensors', attributes: ['sensorId'] },
    shown: ['active', 'mutedUntilMs'],
    quiet: [
      ...['id', 'lastTriggeredMs', 'timesTriggered', 'lastValue', 'lastDateMs', 'lastError', 'inactiveSinceMs'],
      ...['dueAtMs', 'dueBucket', 'stateSinceMs', 'pendingSinceMs', 'clearSinceMs', 'conditionDueMs', 'episodeMs'],
      ...['episodeFiredMs', 'episodeAcknowledged', 'episodeAnnounced', 'inactivityEpisodeMs'],
      ...['inactivityEpisodeFiredMs', 'inactivityEpisodeAcknowledged', 'inactivityEpisodeAnnounced', 'bySelector'],
      'createdMs',
    ],
  },
  {
    ...{ model: SensorTriggerNotification, kind: 'trigger', id: null },
    parent: { by: CONNECTED_TRIGGER, key: 'sensorTriggerId' },
    item: { list: 'notifications', attributes: ['notificationId'] },
    shown: ['afterS'],
  },
  {
    ...{ model: TriggerNotification, kind: 'trigger', id: 'triggerId', parent: { by: TRIGGER, key: 'triggerId' } },
    item: { list: 'notifications', attributes: ['notificationId'] },
    shown: ['afterS'],
  },
  {
    ...{ model: Mute, kind: 'mute', name: 'name', owner: 'ownerId' },
    shown: [
      ...['name', 'startMs', 'endMs', 'sensors', 'triggers', 'days', 'fromTime', 'toTime', 'timezone', 'deliversAfter'],
    ],
    quiet: ['createdBy', 'createdMs'],
  },
];
