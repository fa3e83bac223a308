import type { ArchivedRules } from '../alerts';
import type { AuditLog } from '../audit';
import type { buildPeople } from '../people';
import type { buildSensors } from '../sensors';

type People = ReturnType<typeof buildPeople>['services'];
type Sensors = ReturnType<typeof buildSensors>['services'];

/** The use cases by which archives are written and read. */
export interface ArchivedServices
  extends Pick<People, 'groups' | 'reauthentication'>,
    Pick<Sensors, 'sensors' | 'sensorRetention' | 'metatags' | 'devices'>,
    Pick<Sensors, 'environments' | 'environmentSensors' | 'dashboards'>,
    Pick<Sensors, 'serviceConnections' | 'serviceMethods' | 'connectedSensors'> {
  archivedRules: ArchivedRules;
  auditLog: AuditLog;
}
