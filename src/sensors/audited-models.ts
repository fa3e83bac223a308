import { type AuditedModel, type Parent, SENSOR } from '../audit';
import { ConnectedSensor } from '../storage/models/connected-sensor.model';
import { Dashboard } from '../storage/models/dashboard.model';
import { DeviceSensor } from '../storage/models/device-sensor.model';
import { Environment } from '../storage/models/environment.model';
import { EnvironmentSensor } from '../storage/models/environment-sensor.model';
import { FloorPlan } from '../storage/models/floor-plan.model';
import { Metatag } from '../storage/models/metatag.model';
import { Note } from '../storage/models/note.model';
import { Sensor } from '../storage/models/sensor.model';
import { Service } from '../storage/models/service.model';
import { ServiceExample } from '../storage/models/service-example.model';
import { ServiceInputRow } from '../storage/models/service-input-row.model';
import { TrainingJob } from '../storage/models/training-job.model';

const ENVIRONMENT: Parent = { from: 'environments', key: 'id', owner: 'owner_id', name: 'name' };
const ofSensor = (key: string) => ({ id: key, parent: { by: SENSOR, key } });
const ofEnvironment = { id: 'environmentId', parent: { by: ENVIRONMENT, key: 'environmentId' } };

const SENSORS: readonly AuditedModel[] = [
  {
    ...{ model: Sensor, kind: 'sensor', name: 'name', owner: 'ownerId' },
    shown: [
      ...['name', 'displayName', 'deviceType', 'dataTypeId', 'pagerType', 'dataType', 'dataStructure', 'unit'],
      ...['fieldUnits', 'useDataStorage', 'expectedInterval', 'retentionDays'],
    ],
    quiet: ['type', 'createdMs'],
  },
  {
    ...{ model: Metatag, kind: 'sensor', ...ofSensor('sensorId') },
    item: { list: 'metatags', attributes: ['namespace', 'name', 'value'] },
    quiet: ['position', 'ownerId', 'valueKey'],
  },
  {
    ...{ model: Note, kind: 'note', parent: { by: SENSOR, key: 'sensorId' } },
    shown: ['dateMs', 'endMs', 'text'],
  },
  { model: DeviceSensor, kind: 'sensor', ...ofSensor('sensorId'), shown: ['deviceId'] },
  {
    ...{ model: ConnectedSensor, kind: 'sensor', ...ofSensor('sensorId') },
    item: { list: 'used_sensors', attributes: ['usedSensorId'] },
    quiet: ['createdMs'],
  },
  {
    ...{ model: Service, kind: 'service', parent: { by: SENSOR, key: 'id' } },
    shown: ['name', 'settings'],
    quiet: ['memory', 'model', 'lastError', 'version', 'createdMs'],
  },
  {
    ...{ model: ServiceInputRow, kind: 'service', ...ofSensor('serviceId') },
    item: { list: 'inputs', attributes: ['sensorId'] },
    shown: ['dataFields'],
  },
  {
    ...{ model: TrainingJob, kind: 'service', ...ofSensor('serviceId') },
    item: { list: 'training', attributes: ['label', 'startMs', 'endMs'] },
    quiet: [
      ...['id', 'points', 'pointsRead', 'state', 'status', 'error', 'failures', 'tryAgainMs'],
      ...['createdMs', 'finishedMs'],
    ],
  },
  {
    ...{ model: ServiceExample, kind: 'service', ...ofSensor('serviceId') },
    item: { list: 'learnt', attributes: ['label', 'startMs', 'endMs'] },
    quiet: ['id', 'features'],
  },
];

const PLACES: readonly AuditedModel[] = [
  {
    ...{ model: Environment, kind: 'environment', name: 'name', owner: 'ownerId' },
    shown: ['name', 'parentId', 'floors', 'gpsOutline', 'position'],
    quiet: ['createdMs'],
  },
  {
    ...{ model: EnvironmentSensor, kind: 'environment', ...ofEnvironment },
    item: { list: 'sensors', attributes: ['sensorId'] },
    shown: ['position'],
    quiet: ['ownerId'],
  },
  {
    ...{ model: FloorPlan, kind: 'environment', ...ofEnvironment },
    shown: ['type', 'imageBytes', 'pixelWidth', 'pixelHeight', 'position', 'width', 'rotation'],
    quiet: ['image', 'changedMs'],
  },
];

export const auditedModels: readonly AuditedModel[] = [
  ...SENSORS,
  ...PLACES,
  {
    ...{ model: Dashboard, kind: 'dashboard', name: 'name', owner: 'ownerId' },
    shown: ['name', 'tiles'],
    secret: ['publicHash'],
    quiet: ['version', 'publicToken', 'createdMs'],
  },
];
