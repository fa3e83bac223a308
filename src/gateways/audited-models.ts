import type { AuditedModel } from '../audit';
import { MqttSource } from '../storage/models/mqtt-source.model';
import { SeriesName } from '../storage/models/series.model';

export const auditedModels: readonly AuditedModel[] = [
  {
    ...{ model: MqttSource, kind: 'mqtt_source', name: 'name', owner: 'ownerId' },
    shown: [
      ...['name', 'url', 'username', 'topics', 'decoder', 'clientId', 'protocolVersion', 'caCertificate', 'enabled'],
      ...['createLimit', 'retained'],
    ],
    secret: ['password'],
    quiet: [
      ...['revision', 'state', 'lastError', 'lastMessageMs', 'unreadable', 'refused', 'unchanged', 'repeated'],
      ...['ignored', 'incomplete', 'kept', 'leasedBy', 'leasedUntilMs', 'subscribed', 'unconfirmed', 'failures'],
      ...['nextTryMs', 'createdMs'],
    ],
  },
  {
    ...{ model: SeriesName, kind: 'series', name: 'name', owner: 'ownerId' },
    shown: ['name', 'sensorId'],
    quiet: ['hash', 'namespace', 'source', 'madeBy', 'createdMs'],
  },
];
