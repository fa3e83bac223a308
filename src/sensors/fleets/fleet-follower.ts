import { editRules, type ModelEdit } from '../../access/rule-edit';
import { lockSensors } from '../../access/sensor-lock';
import { findSelected, MAX_SELECTED, parseSelector, selectAmong, TOO_SLOW } from '../../alerts';
import { FairShareScheduler } from '../../fairness/fair-share-scheduler';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import { LruCache } from '../../platform/lru-cache';
import { partsOf } from '../../platform/parts-of';
import type { FleetSettings } from '../../points';
import type { Database } from '../../storage';
import { isOverTime, isPermanent } from '../../storage/mysql-errors';
import { type RunSql, runOn } from '../../storage/transaction';
import { allUsing, dropMembers, joinMembers } from './fleet-members';

/** More locked sensors would delay passes. */
const SENSORS_PER_STEP = 200;
const FLEETS_PER_RUN = 100;
/** The next run continues. */
const RUN_MS = 2_000;
/** A fleet whose sensors cannot be found waits this long, unless its filter is edited. */
const FAILED_PAUSE_MS = 300_000;
const FAILED_FLEETS = 1_000;

interface Behind {
  id: number;
  ownerId: number;
  version: string;
  selector: string;
}

/**
 * Lets fleets follow their selectors. Each change of the owner's sensors sets a version, and a fleet keeps the one
 * that counted when its last comparison began. So no change is missed.
 */
export class FleetFollower {
  private readonly failed = new LruCache<number, { selector: string; untilMs: number }>(FAILED_FLEETS);
  private readonly shares: FairShareScheduler;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.shares = new FairShareScheduler(() => clock.now());
  }

  /** Runs for a limited time. */
  async run(): Promise<void> {
    const untilMs = this.clock.now() + RUN_MS;
    for (const fleet of this.shares.leastUsedFirst(await this.findBehind())) {
      const failed = this.failed.find(fleet.id);
      if (failed?.selector === fleet.selector && failed.untilMs > this.clock.now()) continue;
      await this.followSafely(fleet, untilMs);
      if (this.clock.now() >= untilMs) return;
    }
  }

  /** By chance, so that no fleet is always beyond the limit, however many have failed. */
  private async findBehind(): Promise<Behind[]> {
    const rows = await runOn(this.database.pool)(
      `SELECT f.service_id AS id, f.owner_id AS ownerId, o.latest_version AS version, sv.settings
       FROM fleets f JOIN services sv ON sv.id = f.service_id JOIN selector_owners o ON o.owner_id = f.owner_id
       WHERE f.selects AND COALESCE(f.followed_version, '') <> o.latest_version ORDER BY RAND() LIMIT ?`,
      [FLEETS_PER_RUN],
    );
    return rows.map(({ id, ownerId, version, settings }) => ({
      ...{ id: Number(id), ownerId: Number(ownerId), version: String(version) },
      selector: JSON.stringify(JSON.parse(String(settings)).filter),
    }));
  }

  private async followSafely(fleet: Behind, untilMs: number): Promise<void> {
    const startedMs = this.clock.now();
    try {
      await this.follow(fleet, untilMs);
    } catch (error) {
      if (!isPermanent(error)) throw error;
      if (!isOverTime(error))
        this.logger.error({ serviceId: fleet.id, err: error }, 'a fleet cannot follow its filter');
      this.failed.set(fleet.id, { selector: fleet.selector, untilMs: this.clock.now() + FAILED_PAUSE_MS });
      await this.record(fleet.id, isOverTime(error) ? TOO_SLOW : 'the sensors could not be connected');
    } finally {
      this.shares.chargeTime(fleet.ownerId, this.clock.now() - startedMs);
    }
  }

  private async follow(fleet: Behind, untilMs: number): Promise<void> {
    const { id, ownerId, version } = fleet;
    const selector = parseSelector(fleet.selector);
    const selected = await findSelected(this.database.selections, ownerId, selector, MAX_SELECTED + 1);
    const wanted = new Set(selected.slice(0, MAX_SELECTED));
    const present = new Set(await inputsOf(runOn(this.database.pool), id));
    const leaving = [...present].filter((sensorId) => !wanted.has(sensorId));
    const joining = [...wanted].filter((sensorId) => !present.has(sensorId));
    for (const sensorIds of partsOf([...leaving, ...joining], SENSORS_PER_STEP)) {
      await editRules(this.database.sequelize, (edit) => this.step(fleet, sensorIds, edit));
      if (this.clock.now() >= untilMs) return;
    }
    const problem = selected.length > MAX_SELECTED ? `a filter selects at most ${MAX_SELECTED} sensors` : null;
    await this.record(id, problem, version);
  }

  /** While sensors are locked, their metatags do not change; while the service is, its filter does not. */
  private async step({ id, ownerId }: Behind, sensorIds: readonly number[], edit: ModelEdit): Promise<void> {
    const { transaction, run } = edit;
    const locked = (await lockSensors([...sensorIds, id], transaction)).map((sensor) => sensor.id);
    const ids = locked.filter((sensorId) => sensorId !== id);
    if (ids.length === 0 || !locked.includes(id)) return;
    await edit.affects({ sensorIds: ids });
    const [service] = await run('SELECT settings FROM services WHERE id = ? FOR UPDATE', [id]);
    const settings: FleetSettings | undefined = service && JSON.parse(String(service.settings));
    if (!settings?.filter) return;
    const selected = await selectAmong(run, { id, ownerId, selector: JSON.stringify(settings.filter) }, ids);
    const present = new Set(await inputsOf(run, id));
    const leaving = ids.filter((sensorId) => present.has(sensorId) && !selected.has(sensorId));
    // A sensor that uses the fleet would feed itself.
    const using = await allUsing(id, transaction);
    const room = MAX_SELECTED - present.size + leaving.length;
    const joining = ids.filter((sensorId) => selected.has(sensorId) && !present.has(sensorId) && !using.has(sensorId));
    await dropMembers(edit, { serviceId: id, sensorIds: leaving });
    const members = { serviceId: id, sensorIds: joining.slice(0, room), field: settings.field };
    await joinMembers(edit, { ...members, nowMs: this.clock.now() });
  }

  /** The summary says the problem. */
  private async record(id: number, problem: string | null, version?: string): Promise<void> {
    const followed = version === undefined ? '' : ', followed_version = ?';
    await runOn(this.database.pool)(
      `UPDATE fleets SET next_due_ms = IF(COALESCE(problem, '') = ?, next_due_ms, 0), problem = ?${followed} WHERE service_id = ?`,
      [problem ?? '', problem, ...(version === undefined ? [] : [version]), id],
    );
  }
}

async function inputsOf(run: RunSql, id: number): Promise<number[]> {
  const rows = await run('SELECT sensor_id AS sensorId FROM service_inputs WHERE service_id = ?', [id]);
  return rows.map(({ sensorId }) => Number(sensorId));
}
