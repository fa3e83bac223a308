import type { Transaction } from 'sequelize';
import { editRules } from '../../access/rule-edit';
import { mayRead } from '../../access/sensor.policy';
import type { SensorAccess } from '../../access/sensor-access';
import type { Caller } from '../../platform/caller';
import { InvalidInput, NotFound } from '../../platform/errors';
import { keptDays, type RetentionDays } from '../../platform/retention';
import { isGetMethod, type Json, type SensorService, type ServiceState, serviceNamed } from '../../points';
import type { Database } from '../../storage';
import { Sensor } from '../../storage/models/sensor.model';
import { Service } from '../../storage/models/service.model';
import { ServiceInputRow } from '../../storage/models/service-input-row.model';
import { forUpdate } from '../../storage/transaction';
import { isFleet } from '../fleets/fleet-members';
import type { FleetSettingsService } from '../fleets/fleet-settings';
import { forgetLabel, type LearntModels } from './learnt-models';
import { progressOf } from './training-jobs';

/** The size of the column. */
const MAX_SETTINGS_BYTES = 65_535;

interface FoundService {
  service: Service;
  kind: SensorService;
}

/** Who sees the virtual sensor calls get methods; its owner calls set methods. */
export class ServiceMethodsService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    /** Days. */
    private readonly platformDays: RetentionDays,
    private readonly models: LearntModels,
    private readonly fleets: FleetSettingsService,
  ) {}

  /** The methods of a service. */
  async list(userId: number, sensorId: number, serviceId: number): Promise<SensorService['methods']> {
    return (await this.find(userId, sensorId, serviceId)).kind.methods;
  }

  /** Throws NotFound without such a get method. */
  async read(userId: number, sensorId: number, serviceId: number, name: string): Promise<string> {
    const loaded = await this.find(userId, sensorId, serviceId);
    const method = loaded.kind.methods.find((each) => each.name === name);
    if (!method || !isGetMethod(method)) throw new NotFound('the method');
    return method.get(await this.stateOf(loaded.service));
  }

  /** Takes effect with the next data point. Returns its return value, or `ok`. */
  async run(
    caller: Pick<Caller, 'userId' | 'credential'>,
    { sensorId, serviceId, name }: { sensorId: number; serviceId: number; name: string },
    parameters: readonly string[],
  ): Promise<string> {
    const { userId } = caller;
    const { result, forgets } = await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const { kind } = await this.find(userId, sensorId, serviceId, transaction);
      const method = kind.methods.find((each) => each.name === name);
      if (!method || isGetMethod(method)) throw new NotFound('the method');
      await this.access.findOwn(userId, serviceId, transaction);
      requireCount(method.parameters, parameters);
      // Locked, so that neither a pass nor another method writes in between.
      const service = await Service.findByPk(serviceId, forUpdate(transaction));
      if (!service) throw new NotFound('the service');
      const outcome = method.set(await this.stateOf(service, transaction), parameters);
      if ('refused' in outcome) throw InvalidInput.field('parameters', `cannot be used: ${outcome.refused}`);
      const settings = JSON.stringify(
        isFleet(service) ? await this.fleets.apply(edit, service, caller, outcome.settings) : outcome.settings,
      );
      if (Buffer.byteLength(settings) > MAX_SETTINGS_BYTES) {
        throw InvalidInput.field('parameters', `must be at most ${MAX_SETTINGS_BYTES} bytes together, as JSON`);
      }
      await service.update({ settings }, { transaction });
      if (outcome.forgetLabel !== undefined) await forgetLabel(serviceId, outcome.forgetLabel, transaction);
      return { result: outcome.result ?? 'ok', forgets: outcome.forgetLabel !== undefined };
    });
    if (forgets) await this.models.rebuild(serviceId);
    return result;
  }

  /** Throws NotFound unless the user sees both sensors, and the one feeds the other. */
  async find(userId: number, sensorId: number, serviceId: number, transaction?: Transaction): Promise<FoundService> {
    await this.access.find(userId, sensorId, transaction);
    // A fleet may have no sensors.
    const isFed =
      serviceId === sensorId || (await ServiceInputRow.count({ where: { serviceId, sensorId }, transaction })) > 0;
    const relation = (await this.access.accessOf(userId, [serviceId])).get(serviceId);
    const service = isFed && mayRead(relation) ? await Service.findByPk(serviceId, { transaction }) : null;
    const kind = service && serviceNamed(service.name);
    if (!service || !kind) throw new NotFound('the service');
    return { service, kind };
  }

  private async stateOf(service: Service, transaction?: Transaction): Promise<ServiceState<Json, Json>> {
    // The methods of a fleet do not look at its members, which are many.
    const rows = isFleet(service)
      ? []
      : await ServiceInputRow.findAll({ where: { serviceId: service.id }, order: ['sensorId'], transaction });
    const sensors = await Sensor.findAll({ where: { id: rows.map(({ sensorId }) => sensorId) }, transaction });
    const byId = new Map(sensors.map((sensor) => [sensor.id, sensor]));
    const inputs = rows.flatMap(({ sensorId, dataFields }) => {
      const sensor = byId.get(sensorId);
      if (!sensor) return [];
      const { name: sensorName, dataType } = sensor;
      const fields: string[] = JSON.parse(dataFields);
      return [{ sensorId, sensorName, dataType, fields, keptDays: keptDays(sensor, this.platformDays) }];
    });
    const { settings, memory, model } = service;
    const learning = await progressOf(service.id, transaction);
    return { inputs, settings: JSON.parse(settings), memory: JSON.parse(memory), model, learning };
  }
}

function requireCount(named: readonly string[], given: readonly string[]): void {
  const isOpen = named.at(-1) === '...';
  const fewest = isOpen ? 0 : named.length;
  if (given.length >= fewest && (isOpen || given.length === named.length)) return;
  const names = named.length === 0 ? '' : `: ${named.join(', ')}`;
  throw InvalidInput.field('parameters', `must be ${named.length}${names}; there are ${given.length}`);
}
