import { BULK_MS } from '../../edge/bulk-time';
import { parseId } from '../../edge/id';
import { NotFound, NotReached, PlatformError } from '../../platform/errors';
import { User } from '../../storage/models/user.model';
import type { MutesService } from '../mutes/mutes.service';
import type { SensorTriggersService } from '../triggers/sensor-triggers.service';
import type { BulkFiringAction } from './bulk-firing-action';
import type { FiringFilter } from './firing-list';
import type { FiringsService } from './firings.service';

/** Episodes of a request with a filter, and firings that are read at a time. */
const [MOST, PER_PAGE] = [500, 1_000];

export type BulkFiringSelection = { ids: readonly string[] } | { filter: FiringFilter };

export interface RefusedFiring {
  firing: string;
  refusal: PlatformError;
}

export interface BulkFiringsResult {
  done: number;
  refused: RefusedFiring[];
  /** More open alerts match the filter. */
  more: boolean;
}

/** Acts on many firings, one transaction per episode. */
export class BulkFiringsService {
  constructor(
    private readonly firings: FiringsService,
    private readonly sensorTriggers: Pick<SensorTriggersService, 'change'>,
    private readonly mutes: Pick<MutesService, 'putFor'>,
    private readonly mostMs = BULK_MS,
  ) {}

  /**
   * Returns where and why the action was refused. Repeating it is harmless. After `mostMs`, the rest is refused with
   * NotReached. A filter selects at most 500 episodes; `more` is true beyond.
   */
  async run(userId: number, selection: BulkFiringSelection, action: BulkFiringAction): Promise<BulkFiringsResult> {
    const { ids, more } = await this.select(userId, selection);
    const refused: RefusedFiring[] = [];
    const endsAt = performance.now() + this.mostMs;
    for (const firing of ids) {
      const isOver = performance.now() > endsAt;
      const refusal = isOver
        ? new NotReached('the firing', this.mostMs / 1_000)
        : await this.refusalOf(userId, firing, action);
      if (refusal) refused.push({ firing, refusal });
    }
    return { done: ids.length - refused.length, refused, more };
  }

  private async select(userId: number, selection: BulkFiringSelection): Promise<{ ids: string[]; more: boolean }> {
    if ('ids' in selection) return { ids: [...new Set(selection.ids)], more: false };
    const ids = new Set<string>();
    for (let offset = 0; ids.size <= MOST; offset += PER_PAGE) {
      const page = { offset, limit: PER_PAGE, withTotal: false };
      const { items } = await this.firings.list(userId, selection.filter, page, { whose: 'handle' });
      for (const { firing } of items) ids.add(String(firing.episodeId ?? firing.id));
      if (items.length < PER_PAGE) break;
    }
    return { ids: [...ids].slice(0, MOST), more: ids.size > MOST };
  }

  private async refusalOf(userId: number, text: string, action: BulkFiringAction): Promise<PlatformError | undefined> {
    try {
      const id = parseId(text);
      if (id === null) throw new NotFound('the firing');
      await this.apply(userId, id, action);
      return undefined;
    } catch (error) {
      if (error instanceof PlatformError && error.status < 500) return error;
      throw error;
    }
  }

  private async apply(userId: number, id: number, action: BulkFiringAction): Promise<void> {
    if (action.kind === 'acknowledge') await this.firings.acknowledge({ userId }, id, action.note);
    else if (action.kind === 'resolve') await this.firings.resolve(userId, id);
    else await this.mute(userId, id, action.endMs);
  }

  /** Members mute by a mute of the owner, which names them. */
  private async mute(userId: number, id: number, endMs: number): Promise<void> {
    const { firing } = await this.firings.find(userId, id, 'handle');
    const { ownerId, sensorId, triggerId } = firing;
    if (ownerId === userId) {
      await this.sensorTriggers.change(userId, sensorId, triggerId, { mutedUntilMs: endMs });
      return;
    }
    const member = await User.findByPk(userId, { attributes: ['username'], rejectOnEmpty: true });
    const about = { name: `by ${member.username}`, sensorId, triggerId, endMs };
    await this.mutes.putFor({ ownerId, createdBy: userId }, about);
  }
}
