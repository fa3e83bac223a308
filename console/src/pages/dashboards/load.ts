import { all, api, ask, type Records } from '../../api';
import { inReadingOrder, settled } from '../../dashboards/grid';
import type { Tile } from '../../dashboards/source';

export type Dashboard = Records['DashboardView'];

/** The user's dashboards. */
export function loadDashboards(): Promise<Dashboard[]> {
  return all(async (query) => (await ask(api.get('/dashboards', { params: { query } }))).dashboards);
}

/** A dashboard of the user. */
export async function loadDashboard(id: string, signal: AbortSignal): Promise<Dashboard> {
  return (await ask(api.get('/dashboards/{id}', { params: { path: { id } }, signal }))).dashboard;
}

export async function create(name: string, tiles: readonly Tile[] = []): Promise<Dashboard> {
  return (await ask(api.post('/dashboards', { body: { dashboard: { name, tiles: [...tiles] } } }))).dashboard;
}

/** Stores the name and the tiles, in the order in which people read them; refused if the dashboard has changed since. */
export async function save({ id, name, version }: Dashboard, tiles: readonly Tile[]): Promise<Dashboard> {
  const body = { dashboard: { name, version, tiles: inReadingOrder(settled(tiles)) } };
  return (await ask(api.put('/dashboards/{id}', { params: { path: { id } }, body }))).dashboard;
}
