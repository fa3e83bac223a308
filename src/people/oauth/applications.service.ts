import type { Transaction } from 'sequelize';
import { findOwned } from '../../access/find-owned';
import type { Page, PageOf } from '../../edge/paging';
import type { SessionCaller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { Conflict, NotFound } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import { randomText } from '../../platform/secrets';
import { withoutUndefined } from '../../platform/without-undefined';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Application } from '../../storage/models/application.model';
import { OAuth2Grant } from '../../storage/models/oauth2-grant.model';
import { User } from '../../storage/models/user.model';
import { forShare, forUpdate, inTransaction } from '../../storage/transaction';
import { requireLiveSession } from '../accounts/live-session';
import type { ApplicationType } from './application';

const KEY_LENGTH = 32;
const SECRET_LENGTH = 43;
const MAX_APPLICATIONS = 100;

export interface ApplicationChanges {
  name?: string;
  description?: string;
  callbackUrls?: string[];
}

export interface ApplicationWithSecret {
  application: Application;
  secret: string;
}

/** Applications do not exist for other users. */
export class ApplicationsService {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  list(ownerId: number, page: Page): Promise<PageOf<Application>> {
    return findPage(Application, { where: { ownerId, closedMs: null }, order: ['id'] }, page);
  }

  find(ownerId: number, id: number): Promise<Application> {
    return findOwned(Application, { id, ownerId, closedMs: null }, 'the application');
  }

  /** Throws Conflict at the limit. */
  async register(
    caller: SessionCaller,
    { name, description = '', callbackUrls = [], type }: ApplicationChanges & { name: string; type: ApplicationType },
  ): Promise<ApplicationWithSecret> {
    const ownerId = caller.userId;
    const consumerKey = randomText(KEY_LENGTH);
    const secret = randomText(SECRET_LENGTH);
    const fields = { ownerId, name, description, type, callbackUrls: JSON.stringify(callbackUrls) };
    const credentials = { consumerKey, encryptedSecret: this.secrets.seal(secret, consumerKey) };
    const application = await inTransaction(this.database.sequelize, async (transaction) => {
      const owner = await User.findOne({ where: { id: ownerId, closedMs: null }, ...forUpdate(transaction) });
      if (!owner) throw new NotFound('the user');
      await requireLiveSession(caller, transaction);
      const count = await Application.count({ where: { ownerId, closedMs: null }, transaction });
      if (count >= MAX_APPLICATIONS) {
        throw new Conflict(`you have ${MAX_APPLICATIONS} applications, which is as many as you can`);
      }
      return Application.create({ ...fields, ...credentials, createdMs: this.clock.now() }, { transaction });
    });
    return { application, secret };
  }

  /** Removing a callback ends no authorization. */
  async update(ownerId: number, id: number, { callbackUrls, ...changes }: ApplicationChanges): Promise<Application> {
    const urls = callbackUrls && JSON.stringify(callbackUrls);
    return this.change(ownerId, id, withoutUndefined({ ...changes, callbackUrls: urls }));
  }

  /** Takes effect at once; tokens stay valid. */
  async rotate(caller: SessionCaller, id: number): Promise<ApplicationWithSecret> {
    const { userId: ownerId } = caller;
    const { consumerKey } = await this.find(ownerId, id);
    const secret = randomText(SECRET_LENGTH);
    const encryptedSecret = this.secrets.seal(secret, consumerKey);
    const requireOwner = async (transaction: Transaction) => {
      await User.findByPk(ownerId, { attributes: ['id'], ...forShare(transaction) });
      await requireLiveSession(caller, transaction);
    };
    return { application: await this.change(ownerId, id, { encryptedSecret }, requireOwner), secret };
  }

  /** Authorizations end at once, the purge deletes the rows. */
  async delete(ownerId: number, id: number): Promise<void> {
    await this.change(ownerId, id, { closedMs: this.clock.now(), encryptedSecret: '' });
  }

  /**
   * Ends all tokens of a user's services for the account, and replaces their secrets by unknown ones until the owner
   * rotates them. The user's row must be locked.
   */
  async endServices(ownerId: number, transaction: Transaction): Promise<void> {
    await OAuth2Grant.destroy({ where: { userId: ownerId, authorizationId: null }, transaction });
    const services = await Application.findAll({
      where: servicesOf(ownerId),
      order: ['id'],
      ...forUpdate(transaction),
    });
    for (const service of services) {
      const encryptedSecret = this.secrets.seal(randomText(SECRET_LENGTH), service.consumerKey);
      await service.update({ encryptedSecret }, { transaction });
    }
  }

  /** Applications that get tokens for the account without asking. */
  countServices(ownerId: number, transaction: Transaction): Promise<number> {
    return Application.count({ where: servicesOf(ownerId), transaction });
  }

  private change(
    ownerId: number,
    id: number,
    changes: Partial<Application>,
    before: (transaction: Transaction) => Promise<void> = async () => undefined,
  ): Promise<Application> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      await before(transaction);
      const where = { id, ownerId, closedMs: null };
      const application = await findOwned(Application, where, 'the application', forUpdate(transaction));
      return application.update(changes, { transaction });
    });
  }
}

function servicesOf(ownerId: number) {
  return { ownerId, type: 'service' as const, closedMs: null };
}

export function callbacksOf({ callbackUrls }: Pick<Application, 'callbackUrls'>): string[] {
  return JSON.parse(callbackUrls);
}
