import type { AuditedModel } from '../audit';
import { EventNotification } from '../storage/models/event-notification.model';
import { Notification } from '../storage/models/notification.model';

/** Addresses, headers and bodies of webhooks may hold the keys of their receivers. */
export const auditedModels: readonly AuditedModel[] = [
  {
    ...{ model: Notification, kind: 'notification', name: 'name', owner: 'ownerId' },
    shown: [
      ...[
        'type',
        'text',
        'name',
        'format',
        'digest',
        'enabled',
        'preset',
        'method',
        'contentType',
        'success',
        'probeS',
      ],
      ...['caCertificate', 'person'],
    ],
    secret: [
      ...['destination', 'signingSecret', 'headers', 'secrets', 'body', 'bodyResolved', 'bodyAcknowledged'],
      ...['destinationAcknowledged', 'destinationResolved', 'pushKeys'],
    ],
    quiet: [
      ...['confirmed', 'replacedSecrets', 'createdMs', 'disabledReason', 'failingSinceMs', 'warnedMs'],
      ...['limitedUntilMs', 'lateReportedMs', 'provenMs', 'probeDueMs', 'probeWarnedMs'],
    ],
  },
  {
    ...{ model: EventNotification, kind: 'event_notification', name: 'name', owner: 'ownerId' },
    shown: ['name', 'event', 'notificationId', 'priority', 'enabled', 'sourceId'],
    quiet: ['createdMs'],
  },
];
