import { Op } from 'sequelize';
import { parseId } from '../../edge/id';
import type { Page, PageOf } from '../../edge/paging';
import type { DisplaySettings } from '../../edge/shown-details';
import type { Clock } from '../../platform/clock';
import type { Database } from '../../storage';
import { queryPage } from '../../storage/find-page';
import { Invitation } from '../../storage/models/invitation.model';
import { UserGroup } from '../../storage/models/user-group.model';
import { forUpdate, inTransaction, runIn, runOn } from '../../storage/transaction';
import { lockReader } from '../accounts/share-refusals';
import type { InvitationPlaces } from './invitation-places';
import { findOffer, invitationEnded, type Offer, openOffers, toOffer } from './offers';

/** With the group that it is to, whose demands the user agrees to by accepting. */
export interface ReceivedInvitation {
  offer: Offer;
  group: UserGroup | undefined;
}

/** Invitations as the invited users see them: their own by id, and any link by its token. */
export class ReceivedInvitationsService {
  constructor(
    private readonly database: Database,
    private readonly places: InvitationPlaces,
    private readonly clock: Clock,
  ) {}

  async list(userId: number, page: Page): Promise<PageOf<ReceivedInvitation>> {
    const { text, values } = openOffers(userId, this.clock.now());
    const { items, total } = await queryPage(
      this.database.pool,
      {
        page: {
          text: `SELECT o.* ${text} ORDER BY o.id DESC LIMIT ? OFFSET ?`,
          values: [...values, page.limit, page.offset],
        },
        count: page.withTotal ? { text: `SELECT COUNT(*) AS total ${text}`, values } : undefined,
      },
      toOffer,
    );
    return { items: await withGroups(items), total };
  }

  /** Throws 404 if it can no longer be accepted, unless the user has what it offers. */
  async find(userId: number, reference: string): Promise<ReceivedInvitation> {
    const offer = await findOffer(runOn(this.database.pool), userId, reference, this.clock.now());
    const [received = { offer, group: undefined }] = await withGroups([offer]);
    return received;
  }

  /** Idempotent. Rights are those of this moment: the inviter's, and what the group gives to new members. */
  async accept(userId: number, reference: string, display: Partial<DisplaySettings>): Promise<ReceivedInvitation> {
    const nowMs = this.clock.now();
    const seen = await findOffer(runOn(this.database.pool), userId, reference, nowMs);
    await inTransaction(this.database.sequelize, async (transaction) => {
      await lockReader(userId, transaction);
      await this.places.lock(seen, userId, transaction);
      const offer = await findOffer(runIn(this.database.sequelize, transaction), userId, reference, nowMs);
      if (offer.isAccepted) return;
      await this.places.enter(offer, { userId, display }, transaction);
      const where = { id: offer.id, usesLeft: { [Op.gt]: 0 } };
      const open = await Invitation.findOne({ where, ...forUpdate(transaction) });
      if (!open) throw invitationEnded(); // declined meanwhile
      await open.update({ usesLeft: open.usesLeft - 1 }, { transaction });
    });
    return this.find(userId, reference);
  }

  /** Idempotent. A link has no addressee who could decline it. */
  async decline(userId: number, reference: string): Promise<void> {
    const isOpen = { usesLeft: { [Op.gt]: 0 } };
    const mine = { id: parseId(reference) ?? 0, userId, expiresMs: { [Op.gt]: this.clock.now() } };
    const where = { ...mine, [Op.or]: [isOpen, { declined: true }] };
    await inTransaction(this.database.sequelize, async (transaction) => {
      const found = await Invitation.findOne({ where, ...forUpdate(transaction) });
      if (!found) throw invitationEnded();
      await found.update({ usesLeft: 0, declined: true }, { transaction });
    });
  }
}

async function withGroups(offers: readonly Offer[]): Promise<ReceivedInvitation[]> {
  const ids = offers.flatMap(({ groupId }) => groupId ?? []);
  const groups = ids.length === 0 ? [] : await UserGroup.findAll({ where: { id: ids } });
  const byId = new Map(groups.map((group) => [group.id, group]));
  return offers.map((offer) => ({ offer, group: byId.get(offer.groupId ?? 0) }));
}
