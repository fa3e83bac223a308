import { Op } from 'sequelize';
import { toDashboardView, toEnvironmentView } from '../../sensors';
import { Environment } from '../../storage/models/environment.model';
import { EnvironmentSensor } from '../../storage/models/environment-sensor.model';
import type { ArchivedServices } from '../archived-services';
import { lineSection } from './section';

const AT_ONCE = 200;
/** As many as an account can have. */
const DASHBOARDS = { offset: 0, limit: 1_000, withTotal: false };

/** The environments of an account, with the sensors in them. */
export function environmentSection() {
  return lineSection('environments.ndjson', async ({ ownerId }, cursor) => {
    const where = { ownerId, id: { [Op.gt]: cursor?.[0] ?? 0 } };
    const environments = await Environment.findAll({ where, order: ['id'], limit: AT_ONCE });
    const ids = environments.map(({ id }) => id);
    const inside = await EnvironmentSensor.findAll({ where: { ownerId, environmentId: ids }, order: ['sensorId'] });
    const records = environments.map((environment) => {
      const { id, date: _date, ...fields } = toEnvironmentView(environment);
      const sensors = inside
        .filter(({ environmentId }) => environmentId === environment.id)
        .map(({ sensorId, position }) => ({ id: String(sensorId), position: position ?? '' }));
      const { parentId } = environment;
      return { id, environment: fields, parent: parentId === null ? null : String(parentId), sensors };
    });
    return { records, next: ids.length < AT_ONCE ? undefined : [ids.at(-1) ?? 0] };
  });
}

/** The dashboards of an account, without their public links. */
export function dashboardSection(dashboards: ArchivedServices['dashboards']) {
  return lineSection('dashboards.ndjson', async ({ ownerId }) => {
    const { items } = await dashboards.list(ownerId, DASHBOARDS);
    const records = items.map((item) => {
      const { id, name, tiles } = toDashboardView(item);
      return { id, dashboard: { name, tiles } };
    });
    return { records, next: undefined };
  });
}
