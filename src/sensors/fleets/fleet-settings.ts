import { parseFindFilter } from '../../access/find-filter';
import type { ModelEdit } from '../../access/rule-edit';
import { markSensorChange } from '../../access/sensor-changes';
import { readSelector, type SelectorInput, type SelectorsService, type TriggersService } from '../../alerts';
import type { Caller } from '../../platform/caller';
import { Forbidden, InvalidInput } from '../../platform/errors';
import { FLEET_DEFAULTS, type FleetSettings, type Json } from '../../points';

/** Where a method has what it sets. */
const PARAMETER = 'parameters[0]';
const MAX_NAMESPACE = 255;

/** What a new fleet is given, as its methods set it; undefined is not given. */
export interface GivenFleet {
  /** The first field that is given. */
  path: string;
  filter?: SelectorInput | undefined;
  inactiveAfter?: number | undefined;
  triggerId?: number | undefined;
}

/** Settings of a new fleet; `fields` are those that the caller gave. */
export function fleetSettings(fields: readonly string[] = []): FleetSettings {
  const [field = FLEET_DEFAULTS.field, ...others] = fields;
  if (others.length > 0) throw InvalidInput.field('service.data_fields', 'must be one field for a fleet');
  return { ...FLEET_DEFAULTS, field };
}

export function fleetFieldOf({ settings }: { settings: string }): string {
  const { field }: FleetSettings = JSON.parse(settings);
  return field;
}

/** Checks and applies what methods change, in their transaction, which has locked the service. */
export class FleetSettingsService {
  constructor(
    private readonly selectors: SelectorsService,
    private readonly triggers: TriggersService,
  ) {}

  /**
   * Returns the settings to store. Throws InvalidInput, Conflict for too many sensors, NotFound for the trigger,
   * or Forbidden for a credential that reaches some sensors only: the summary would show others.
   */
  async apply(
    edit: ModelEdit,
    { id, settings }: { id: number; settings: string },
    { userId: ownerId, credential }: Pick<Caller, 'userId' | 'credential'>,
    set: Json,
    path = PARAMETER,
  ): Promise<FleetSettings> {
    const before: FleetSettings = JSON.parse(settings);
    const after = set as FleetSettings; // the methods of a fleet return nothing else
    const { field, triggerId } = after;
    const isWider = triggerId !== before.triggerId || !isSameFilter(before, after);
    if (isWider && credential.sensors) throw new Forbidden('this key is limited to sensors and does not reach this');
    if (field !== before.field) await this.changeField(edit, id, field);
    if (triggerId !== before.triggerId && triggerId !== 0) await this.triggers.find(ownerId, triggerId);
    const filter = isSameFilter(before, after) ? before.filter : await this.readFilter(ownerId, after.filter, path);
    await edit.run(
      "UPDATE fleets SET trigger_id = ?, firing_key = '', selects = ?, next_due_ms = 0 WHERE service_id = ?",
      [triggerId || null, filter !== null, id],
    );
    if (!isSameFilter(before, { filter })) await markSensorChange(ownerId, edit.transaction);
    return { ...after, filter };
  }

  /** As `apply`, for a fleet that this transaction has made. */
  async applyGiven(
    edit: ModelEdit,
    fleet: { id: number; settings: string },
    caller: Pick<Caller, 'userId' | 'credential'>,
    { filter, inactiveAfter, triggerId }: GivenFleet,
  ): Promise<FleetSettings> {
    const before: FleetSettings = JSON.parse(fleet.settings);
    const set = {
      ...before,
      ...(filter && { filter: { ...filter } as FleetSettings['filter'] }), // read from JSON
      ...(inactiveAfter !== undefined && { inactiveAfter }),
      ...(triggerId !== undefined && { triggerId }),
    };
    return this.apply(edit, fleet, caller, set, 'service.filter');
  }

  /** The changes that passes have noted of the other field no longer count: they have the former version. */
  private async changeField(edit: ModelEdit, id: number, field: string): Promise<void> {
    await edit.affects({ from: 'service_inputs', sensorId: 'sensor_id', column: 'service_id', ids: [id] });
    await edit.run('UPDATE service_inputs SET data_fields = ? WHERE service_id = ?', [JSON.stringify([field]), id]);
    await edit.run('UPDATE fleets SET version = version + 1 WHERE service_id = ?', [id]);
  }

  private async readFilter(
    ownerId: number,
    given: FleetSettings['filter'],
    path: string,
  ): Promise<FleetSettings['filter']> {
    if (given === null) return null;
    const read = readSelector(inputOf(given, path), path);
    if ('problem' in read) throw InvalidInput.field(read.problem.path, read.problem.why);
    await this.selectors.requireFew(ownerId, read.selector, path);
    return read.selector as unknown as FleetSettings['filter']; // plain data
  }
}

function isSameFilter(a: Pick<FleetSettings, 'filter'>, b: Pick<FleetSettings, 'filter'>): boolean {
  return JSON.stringify(a.filter) === JSON.stringify(b.filter);
}

/** The JSON of a parameter is not validated yet. */
function inputOf(
  { filter, all, namespace }: { readonly [key: string]: Json | undefined },
  path: string,
): SelectorInput {
  const isNamespace = namespace === undefined || (typeof namespace === 'string' && namespace.length <= MAX_NAMESPACE);
  if (!isNamespace)
    throw InvalidInput.field(`${path}.namespace`, `must be a text of at most ${MAX_NAMESPACE} characters`);
  if (all !== undefined && typeof all !== 'boolean') throw InvalidInput.field(`${path}.all`, 'must be true or false');
  if (filter === undefined) return { all, namespace };
  const read = parseFindFilter(JSON.stringify(filter), `${path}.filter`);
  if ('problem' in read) throw InvalidInput.field(read.problem.path, read.problem.why);
  return { filter: filter as SelectorInput['filter'], all, namespace }; // its shape is checked
}
