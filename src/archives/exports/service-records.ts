import { Op } from 'sequelize';
import { isRecord } from '../../platform/is-record';
import { Sensor } from '../../storage/models/sensor.model';
import { Service } from '../../storage/models/service.model';
import { ServiceInputRow } from '../../storage/models/service-input-row.model';
import { lineSection } from './section';

const AT_ONCE = 100;

/** A call of a method that sets what a service does. */
export interface MethodCall {
  name: string;
  parameters: string[];
}

/** The services of an account: their inputs, and the calls that give a new service the same settings. */
export function serviceSection() {
  return lineSection('services.ndjson', async ({ ownerId }, cursor) => {
    const own = await Sensor.findAll({
      attributes: ['id'],
      where: { ownerId, id: { [Op.gt]: cursor?.[0] ?? 0 }, type: VIRTUAL },
      ...{ order: ['id'], limit: AT_ONCE },
    });
    const ids = own.map(({ id }) => id);
    const inputs = await ServiceInputRow.findAll({ where: { serviceId: ids }, order: ['serviceId', 'sensorId'] });
    const records = (await Service.findAll({ where: { id: ids }, order: ['id'] })).map(({ id, name, settings }) => ({
      ...{ id: String(id), name },
      inputs: inputs
        .filter(({ serviceId }) => serviceId === id)
        .map(({ sensorId, dataFields }) => ({ id: String(sensorId), fields: JSON.parse(dataFields) })),
      methods: callsOf(JSON.parse(settings)),
    }));
    return { records, next: ids.length < AT_ONCE ? undefined : [ids.at(-1) ?? 0] };
  });
}

const VIRTUAL = 2;

/** By the names of the settings: each kind of service has its own. */
function callsOf(settings: unknown): MethodCall[] {
  if (!isRecord(settings)) return [];
  if (settings.expression !== undefined) return formulaCalls(settings);
  if (settings.size !== undefined) return [call('SetWindow', settings.size, settings.unit)];
  if (settings.windowMs !== undefined) return recognitionCalls(settings);
  const { filter } = settings;
  if (Array.isArray(filter)) return filter.length > 0 ? [call('SetFilter', ...filter)] : [];
  return fleetCalls(settings);
}

type Settings = Record<string, unknown>;

function formulaCalls({ expression, useDataTimestamp }: Settings): MethodCall[] {
  const formula = expression === '' ? [] : [call('SetExpression', expression)];
  return useDataTimestamp ? [...formula, call('SetUseDataTimestamp', 'true')] : formula;
}

function recognitionCalls({ windowMs, manual }: Settings): MethodCall[] {
  const window = call('SetWindow', Number(windowMs) / 1000);
  return manual ? [window, call('SetManualInputMode', 'true')] : [window];
}

function fleetCalls({ field, inactiveAfter, filter, triggerId }: Settings): MethodCall[] {
  return [
    ...(field === undefined ? [] : [call('SetField', field)]),
    ...(inactiveAfter ? [call('SetSilentAfter', inactiveAfter)] : []),
    ...(filter ? [call('SetFilter', JSON.stringify(filter))] : []),
    ...(triggerId ? [call('SetTrigger', triggerId)] : []),
  ];
}

function call(name: string, ...parameters: unknown[]): MethodCall {
  return { name, parameters: parameters.map(String) };
}
