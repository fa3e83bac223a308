import type { Importing } from './importing';
import { allLines, makeThings } from './thing-steps';

const ENVIRONMENTS = 'SELECT id, name FROM environments WHERE owner_id = ? ORDER BY id';
const GROUPS = `SELECT g.id, g.name FROM user_groups g JOIN group_users m ON m.group_id = g.id
  WHERE m.user_id = ? AND m.accepted ORDER BY g.id`;
export const DASHBOARDS = 'SELECT id, name FROM dashboards WHERE owner_id = ? ORDER BY id';

export function makeEnvironments(importing: Importing): Promise<boolean> {
  const { services, ownerId, records } = importing;
  return makeThings(importing, {
    ...{ entry: 'environments.ndjson', kind: 'environments', present: ENVIRONMENTS },
    read: (line) => records.environment(line),
    make: async ({ input }) => (await services.environments.create(ownerId, input)).id,
  });
}

/** Puts new environments into others, and sensors into new environments. */
export async function fillEnvironments(importing: Importing): Promise<boolean> {
  const { services, ownerId, records, work, database } = importing;
  for (const { id: old, parent, sensors } of await allLines(importing, 'environments.ndjson', (line) =>
    records.environment(line),
  )) {
    const id = importing.isMade('environments', old) ? importing.idOf('environments', old) : undefined;
    if (id === undefined) continue;
    const parentId = parent === null ? undefined : importing.idOf('environments', parent);
    const places = sensors.flatMap(({ id: sensor, position }) => {
      const sensorId = importing.idOf('sensors', sensor);
      return sensorId === undefined ? [] : [{ sensorId, position }];
    });
    const placed = places.filter(({ position }) => position !== '');
    const ids = places.map(({ sensorId }) => sensorId);
    await work.together(database.sequelize, async () => {
      if (parentId !== undefined) await services.environments.connectSubEnvironments(ownerId, parentId, [id]);
      if (ids.length > 0) await services.environmentSensors.connect(ownerId, id, ids);
      if (placed.length > 0) await services.environmentSensors.move(ownerId, id, placed);
      return {};
    });
    if (importing.isOver()) return false;
  }
  return true;
}

export function makeGroups(importing: Importing): Promise<boolean> {
  const { services, ownerId, records } = importing;
  return makeThings(importing, {
    ...{ entry: 'groups.ndjson', kind: 'groups', present: GROUPS },
    read: (line) => records.group(line),
    make: async ({ input }) => (await services.groups.create(ownerId, input)).id,
    without: ({ name, hasPassword }) =>
      hasPassword ? [{ what: `the access password of the group ${name}`, why: 'a file has no passwords' }] : [],
  });
}

export function makeDashboards(importing: Importing): Promise<boolean> {
  const { services, ownerId, records } = importing;
  type Dashboard = ReturnType<typeof records.dashboard>;
  const carried = ({ tiles }: Dashboard) =>
    tiles.flatMap((tile) => {
      const sensors = tile.sensors.flatMap((id) => importing.idOf('sensors', String(id)) ?? []);
      const { environment: old } = tile;
      const environment = old === null ? null : importing.idOf('environments', String(old));
      const isEmpty = tile.sensors.length > 0 && sensors.length === 0;
      return isEmpty || environment === undefined ? [] : [{ ...tile, sensors, environment }];
    });
  return makeThings(importing, {
    ...{ entry: 'dashboards.ndjson', kind: 'dashboards', present: DASHBOARDS },
    read: (line) => records.dashboard(line),
    make: async (dashboard) => (await services.dashboards.create(ownerId, dashboard.name, carried(dashboard))).id,
    without: (dashboard) => {
      const lost = dashboard.tiles.length - carried(dashboard).length;
      const why = 'they show sensors or places that are not in the file';
      return lost === 0 ? [] : [{ what: `${lost} tiles of the dashboard ${dashboard.name}`, why }];
    },
  });
}
