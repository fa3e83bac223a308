import { Op, type Transaction } from 'sequelize';
import type { Page, PageOf } from '../../edge/paging';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { Conflict, InvalidInput, NotFound } from '../../platform/errors';
import { hashSecret } from '../../platform/secrets';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Invitation } from '../../storage/models/invitation.model';
import { User } from '../../storage/models/user.model';
import { inTransaction } from '../../storage/transaction';
import { chargeUse, usedUpError } from '../../storage/usage-counts';
import { findUser } from '../accounts/find-users';
import { lockReader } from '../accounts/share-refusals';
import type { InvitationPlaces, Place } from './invitation-places';
import { newToken } from './offers';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MAX_OPEN = 100;
const MAX_PER_HOUR = 60;

export interface InvitationInput {
  username?: string;
  days: number;
  uses: number;
}

type InvitationFields = Pick<Invitation, 'inviterId' | 'usesLeft' | 'createdMs' | 'expiresMs'>;

export interface SentInvitation {
  invitation: Invitation;
  username: string | null;
  /** Only of a new link: it is not stored. */
  token?: string;
}

/** Invitations as members and owners of sensors see them. */
export class SentInvitationsService {
  constructor(
    private readonly database: Database,
    private readonly places: InvitationPlaces,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /** Open and declined ones, by id. Accepted ones are left out, as members may hide their names. */
  async list(userId: number, place: Place, page: Page): Promise<PageOf<SentInvitation>> {
    await this.places.authorise(userId, place);
    const answers = { [Op.or]: [{ usesLeft: { [Op.gt]: 0 } }, { declined: true }] };
    const where = { ...place, expiresMs: { [Op.gt]: this.clock.now() }, ...answers };
    const { items, total } = await findPage(Invitation, { where, order: ['id'] }, page);
    const ids = items.flatMap(({ userId: invitedId }) => invitedId ?? []);
    const users = ids.length === 0 ? [] : await User.findAll({ where: { id: ids } });
    const names = new Map(users.map(({ id, username }) => [id, username]));
    return { items: items.map((invitation) => ({ invitation, username: nameIn(names, invitation) })), total };
  }

  /**
   * Invites a user again if they declined, or if the invitation has ended; an open one gets the new end. Throws TooMany
   * at the limit of an hour, Conflict at that of the place, NotFound for an unknown user.
   */
  async create(userId: number, place: Place, { username, days, uses }: InvitationInput): Promise<SentInvitation> {
    const nowMs = this.clock.now();
    await this.charge(userId, nowMs);
    await this.places.authorise(userId, place);
    const invited = username === undefined ? undefined : await findUser({ username }, 'invitation.username');
    if (invited?.id === userId) throw InvalidInput.field('invitation.username', 'must not be yourself');
    return inTransaction(this.database.sequelize, async (transaction) => {
      if (invited) await lockReader(invited.id, transaction);
      await this.places.authorise(userId, place, transaction);
      const dates = { createdMs: nowMs, expiresMs: nowMs + days * DAY_MS };
      const fields: InvitationFields = { ...dates, inviterId: userId, usesLeft: uses };
      if (invited) {
        await this.places.ensureCanBeInvited(userId, invited.id, place, transaction);
        const invitation = await this.invite(invited.id, place, fields, transaction);
        return { invitation, username: invited.username };
      }
      await requireRoom(place, nowMs, transaction);
      const token = newToken();
      const invitation = await Invitation.create(
        { ...place, ...fields, tokenHash: hashSecret(token) },
        { transaction },
      );
      return { invitation, username: null, token };
    });
  }

  async withdraw(userId: number, place: Place, id: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      await this.places.authorise(userId, place, transaction);
      const count = await Invitation.destroy({ where: { id, ...place }, transaction });
      if (count === 0) throw new NotFound('the invitation');
    });
  }

  /** A user has at most one invitation to a place. */
  private async invite(
    userId: number,
    place: Place,
    fields: InvitationFields,
    transaction: Transaction,
  ): Promise<Invitation> {
    const before = await Invitation.findOne({ where: { ...place, userId }, transaction });
    if (before && before.usesLeft > 0 && before.expiresMs > fields.createdMs) {
      return before.update(fields, { transaction });
    }
    await requireRoom(place, fields.createdMs, transaction);
    const invitation = before
      ? await before.update({ ...fields, declined: false }, { transaction })
      : await Invitation.create({ ...place, ...fields, userId }, { transaction });
    await this.events.raise(transaction, { name: 'receive_invitation', subjectId: invitation.id, userId });
    return invitation;
  }

  private async charge(userId: number, nowMs: number): Promise<void> {
    const allowance = { kind: 'invitations', subject: String(userId), limit: MAX_PER_HOUR, windowMs: HOUR_MS };
    const usedUp = await chargeUse(this.database.pool, [allowance], nowMs);
    if (usedUp) throw usedUpError('too many invitations in this hour; try again later', usedUp, nowMs);
  }
}

async function requireRoom(place: Place, nowMs: number, transaction: Transaction): Promise<void> {
  const where = { ...place, usesLeft: { [Op.gt]: 0 }, expiresMs: { [Op.gt]: nowMs } };
  if ((await Invitation.count({ where, transaction })) < MAX_OPEN) return;
  throw new Conflict(`${MAX_OPEN} invitations are open, which is as many as there can be: withdraw some`);
}

function nameIn(names: ReadonlyMap<number, string>, { userId }: Invitation): string | null {
  return userId === null ? null : (names.get(userId) ?? null);
}
