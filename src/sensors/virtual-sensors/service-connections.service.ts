import type { Transaction } from 'sequelize';
import { reaches } from '../../access/credential.policy';
import { markSensorCountChange } from '../../access/own-sensor-counts';
import { editRules, type ModelEdit } from '../../access/rule-edit';
import type { SensorAccess } from '../../access/sensor-access';
import { lockSensors } from '../../access/sensor-lock';
import type { EventLog } from '../../events/event-log';
import { whyNotKept } from '../../language/windows/window-storage';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../../platform/errors';
import { keptDays, type RetentionDays } from '../../platform/retention';
import { CATALOGUE, FLEET_SERVICE, readFieldTypes, type SensorService, serviceNamed } from '../../points';
import type { Database } from '../../storage';
import { Sensor } from '../../storage/models/sensor.model';
import { Service } from '../../storage/models/service.model';
import { ServiceInputRow } from '../../storage/models/service-input-row.model';
import {
  createFleet,
  deleteFleet,
  isFleet,
  markFleets,
  requireMayJoin,
  requireNoSelector,
} from '../fleets/fleet-members';
import { type FleetSettingsService, fleetFieldOf, fleetSettings, type GivenFleet } from '../fleets/fleet-settings';
import { connectSensor, disconnectSensor } from './sensor-connections';
import type { ServiceConnection } from './service-connection';
import { requireFewServices } from './service-limits';
import { deleteUnfedServices } from './unfed-services';
import { windowLengths } from './window-lengths';

export interface RunningService {
  id: number;
  name: string;
  fields: readonly string[];
  /** Why the latest points could not be computed; null if they could. */
  lastError: string | null;
}

export class ServiceConnectionsService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly events: EventLog,
    private readonly clock: Clock,
    /** Days. */
    private readonly platformDays: RetentionDays,
    private readonly fleets: FleetSettingsService,
  ) {}

  /**
   * Connects a sensor to a service of the user, or to a new one with a new virtual sensor. A connected sensor only
   * changes its fields. Throws Conflict for a cycle, too many services, or a sensor that keeps less than a window.
   */
  async connect(
    caller: Pick<Caller, 'userId' | 'credential'>,
    sensorId: number,
    connection: ServiceConnection,
  ): Promise<RunningService> {
    const { userId, credential } = caller;
    const { serviceId: known, fleet } = connection;
    if (known !== undefined && !reaches(credential, known)) throw new NotFound('the service');
    return editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      await edit.affects({ sensorIds: [sensorId] });
      const { sensor, isOwner } = await this.access.find(userId, sensorId, transaction);
      const service =
        known === undefined
          ? await this.create(userId, sensor, connection, edit)
          : await this.lockRunning(userId, known, connection.name, transaction);
      if (fleet && (known !== undefined || !isFleet(service))) throw notOfNewFleet(fleet);
      if (isFleet(service)) await requireMayJoin(edit.run, service.id, isOwner);
      const fields = fieldsFor(service, sensor, connection.fields);
      const pair = { virtualId: service.id, usedId: sensorId, userId, nowMs: this.clock.now() };
      await connectSensor(transaction, this.events, pair);
      await markFleets(edit.run, [service.id]);
      await this.saveInput(edit, { userId, service, sensor, fields });
      if (fleet) {
        const settings = await this.fleets.applyGiven(edit, service, caller, fleet);
        await service.update({ settings: JSON.stringify(settings) }, { transaction });
      }
      return { id: service.id, name: service.name, fields, lastError: null };
    });
  }

  private async saveInput(
    { transaction }: ModelEdit,
    {
      userId,
      service,
      sensor,
      fields,
    }: { userId: number; service: Service; sensor: Sensor; fields: readonly string[] },
  ): Promise<void> {
    const pair = { serviceId: service.id, sensorId: sensor.id };
    const input = { ...pair, dataFields: JSON.stringify(fields) };
    const [row, isNew] = await ServiceInputRow.findOrCreate({ where: pair, defaults: input, transaction });
    if (!isNew) {
      await row.update(input, { transaction });
      return;
    }
    await requireFewServices(transaction, { userId, ...pair });
    await this.requireKept(service, sensor, transaction);
    const event = { name: 'add_sensor_service', subjectId: service.id, sourceId: sensor.id, userId } as const;
    await this.events.raise(transaction, event);
  }

  /** The owners of service and sensor may disconnect. A service without inputs is deleted. */
  async disconnect(userId: number, sensorId: number, serviceId: number): Promise<void> {
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      if (sensorId === serviceId && (await this.endFleet(edit, userId, serviceId))) return;
      const { isOwner } = await this.access.find(userId, sensorId, transaction);
      const relation = (await this.access.accessOf(userId, [serviceId])).get(serviceId);
      if (!isOwner && !relation?.isOwner) {
        if (!relation?.isShared) throw new NotFound('the service');
        throw new Forbidden('only the owner of the service or of the sensor may do this');
      }
      if (!(await this.disconnectInput(edit, { userId, sensorId, serviceId }))) throw new NotFound('the service');
      await disconnectSensor(transaction, this.events, { virtualId: serviceId, usedId: sensorId, userId });
    });
  }

  /** Disconnects in the caller's transaction. Returns false if the sensor did not feed the service. */
  async disconnectInput(
    edit: ModelEdit,
    { userId, sensorId, serviceId }: { userId: number; sensorId: number; serviceId: number },
  ): Promise<boolean> {
    const { transaction } = edit;
    await lockSensors([serviceId, sensorId], transaction);
    const row = await ServiceInputRow.findOne({ where: { serviceId, sensorId }, transaction });
    if (!row) return false;
    await requireNoSelector(edit.run, serviceId);
    await edit.affects({ sensorIds: [sensorId] });
    const event = { name: 'remove_sensor_service', subjectId: serviceId, sourceId: sensorId, userId } as const;
    await this.events.raise(transaction, event);
    await row.destroy({ transaction });
    await deleteUnfedServices([serviceId], edit);
    return true;
  }

  /** Returns false if the service is no fleet. */
  private async endFleet(edit: ModelEdit, userId: number, serviceId: number): Promise<boolean> {
    const service = await Service.findByPk(serviceId, { transaction: edit.transaction });
    if (!service || !isFleet(service)) return false;
    await this.access.findOwn(userId, serviceId, edit.transaction);
    await deleteFleet(edit, this.events, { serviceId, userId });
    return true;
  }

  /** Throws Conflict if the sensor keeps less than a window of the service. */
  private async requireKept(service: Service, sensor: Sensor, transaction: Transaction): Promise<void> {
    const rows = await ServiceInputRow.findAll({ where: { serviceId: service.id }, transaction });
    const lengths = windowLengths(
      service,
      rows.map(({ sensorId }) => sensorId),
    );
    const why = whyNotKept(lengths.get(sensor.id) ?? 0, keptDays(sensor, this.platformDays));
    if (why) throw new Conflict(`the service ${service.id} cannot be computed on this sensor: ${why}`);
  }

  private async create(
    userId: number,
    sensor: Sensor,
    { name = '', fields, virtual }: ServiceConnection,
    { run, transaction }: ModelEdit,
  ): Promise<Service> {
    const kind = kindOf(name);
    const nowMs = this.clock.now();
    const output = await Sensor.create(
      {
        ownerId: userId,
        name: virtual.name ?? `${kind.name} ${sensor.name}`.slice(0, 255),
        deviceType: virtual.deviceType ?? kind.name,
        dataType: kind.output.dataType,
        dataStructure: kind.output.dataStructure,
        createdMs: nowMs,
      },
      { transaction },
    );
    await this.events.raise(transaction, { name: 'add_sensor', subjectId: output.id, userId });
    await markSensorCountChange(userId, transaction);
    const settings = JSON.stringify(isFleet(kind) ? fleetSettings(fields) : kind.settings);
    const row = { id: output.id, name: kind.name, settings, memory: JSON.stringify(kind.memory), createdMs: nowMs };
    const service = await Service.create(row, { transaction });
    if (isFleet(kind)) await createFleet(run, { id: service.id, ownerId: userId });
    return service;
  }

  private async lockRunning(
    userId: number,
    serviceId: number,
    name: string | undefined,
    transaction: Transaction,
  ): Promise<Service> {
    await this.access.findOwn(userId, serviceId, transaction).catch((error: unknown) => {
      throw error instanceof NotFound ? new NotFound('the service') : error;
    });
    await lockSensors([serviceId], transaction);
    const service = await Service.findByPk(serviceId, { transaction });
    if (!service) throw new NotFound('the service');
    if (name !== undefined && name !== service.name) {
      const why = `is ${service.name} for this service`;
      throw new Conflict(`service.name ${why}`, 'conflict', { 'service.name': why });
    }
    return service;
  }
}

function notOfNewFleet({ path }: GivenFleet): InvalidInput {
  return InvalidInput.field(path, `is for a new ${FLEET_SERVICE}; the methods of a running one set it`);
}

function kindOf(name: string): SensorService {
  const kind = serviceNamed(name);
  if (!kind)
    throw InvalidInput.field('service.name', `must be one of ${CATALOGUE.map((each) => each.name).join(', ')}`);
  return kind;
}

/** Checked. A sensor without fields has only its value; a fleet reads one field of all its sensors. */
function fieldsFor(service: Service, sensor: Sensor, wanted: readonly string[] = []): readonly string[] {
  if (isFleet(service)) return [fleetFieldOf(service)];
  const kind = kindOf(service.name);
  const usable = kind.usableFields(sensor);
  if (usable.length === 0) throw InvalidInput.field('service.name', `cannot use the values of sensor ${sensor.id}`);
  if (wanted.length === 0) return usable;
  const unknown = readFieldTypes(sensor) ? wanted.find((field) => !usable.includes(field)) : undefined;
  if (unknown === undefined) return [...new Set(wanted)];
  const why = `contains ${JSON.stringify(unknown)}, and the service can use ${usable.join(', ')}`;
  throw InvalidInput.field('service.data_fields', why);
}
