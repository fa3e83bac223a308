import assert from 'node:assert/strict';
import { buildSensor, create } from './factories';
import type { FakeClock } from './fake-clock';
import type { Platform, TestUser } from './platform';

export interface FleetSetting {
  /** The value of the metatag `kind` that its members have. */
  kind?: string;
  field?: string;
  inactiveAfter?: number;
  triggerId?: string;
}

/** Begins each test two minutes later, with a kind of sensor that no other test has. Ends its workers. */
export function useKindPerTest(
  { clock, platform }: { clock: FakeClock; platform: Pick<Platform, 'stopWorkers'> },
  begin: (kind: string) => void,
): void {
  let kinds = 0;
  beforeEach(() => {
    kinds += 1;
    clock.advance(120_000);
    begin(`freezer ${kinds}`);
  });
  afterEach(() => platform.stopWorkers());
}

/** Sensors with this value of the metatag `kind`. */
export const ofKind = (value: string) => ({
  filter: { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value }]] },
});

export async function runMethod(user: TestUser, fleetId: string, method: string, ...parameters: unknown[]) {
  return user.api.post(`/sensors/${fleetId}/services/${fleetId}/${method}`, { parameters });
}

/** Creates a fleet on a sensor, and sets what is given. */
export async function buildFleet(user: TestUser, sensorId: string, setting: FleetSetting = {}): Promise<string> {
  const { service } = await create(user, `/sensors/${sensorId}/services`, { service: { name: 'fleet_service' } });
  const { kind, field, inactiveAfter, triggerId } = setting;
  const methods = {
    SetFilter: kind && JSON.stringify(ofKind(kind)),
    SetField: field,
    SetSilentAfter: inactiveAfter && String(inactiveAfter),
    SetTrigger: triggerId,
  };
  for (const [method, parameter] of Object.entries(methods)) {
    if (parameter !== undefined) assert.equal((await runMethod(user, service.id, method, parameter)).status, 200);
  }
  return service.id;
}

export async function tag(user: TestUser, sensorId: string, kind: string | null): Promise<void> {
  const metatags = kind === null ? {} : { kind: [kind] };
  assert.equal((await user.api.put(`/sensors/${sensorId}/metatags`, { metatags })).status, 200);
}

export async function buildMember(user: TestUser, kind: string, sensor: Record<string, unknown> = {}): Promise<string> {
  const sensorId = await buildSensor(user, { name: 'freezer', data_type: 'float', ...sensor });
  await tag(user, sensorId, kind);
  return sensorId;
}

/** All summaries of a fleet, oldest first. */
export async function summariesOf({ api }: TestUser, fleetId: string): Promise<Record<string, number | null>[]> {
  const { body } = await api.get(`/sensors/${fleetId}/data?per_page=1000`);
  return body.data.map(({ value }: { value: string }) => JSON.parse(value));
}

export async function summaryOf(user: TestUser, fleetId: string): Promise<Record<string, number | null>> {
  return (await summariesOf(user, fleetId)).at(-1) ?? {};
}

/** The summary of a fleet without `silent` and `firing`, counted from the stored points of its members. */
export async function recount(platform: Platform, fleetId: string) {
  const rows = await platform.query(
    `SELECT i.sensor_id, (SELECT p.value FROM data_points p WHERE p.sensor_id = i.sensor_id ORDER BY p.date_ms DESC LIMIT 1) AS value
     FROM service_inputs i WHERE i.service_id = ? ORDER BY i.sensor_id`,
    [fleetId],
  );
  const values = rows.flatMap(({ value }) => (value === null ? [] : [Number(value)]));
  const sum = values.reduce((total, value) => total + value, 0);
  const isEmpty = values.length === 0;
  return {
    count: rows.length,
    average: isEmpty ? null : sum / values.length,
    minimum: isEmpty ? null : Math.min(...values),
    maximum: isEmpty ? null : Math.max(...values),
    sum,
  };
}

export async function buildMembers(user: TestUser, kind: string, count: number, sensor = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await buildMember(user, kind, sensor));
  return ids;
}

/** Time passes while the platform accepts data. */
export async function passTime(
  { clock, platform }: { clock: FakeClock; platform: Platform },
  ms: number,
): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    clock.advance(Math.min(left, 1_000));
    await platform.container.heartbeat.beat();
  }
  await platform.settle();
}
