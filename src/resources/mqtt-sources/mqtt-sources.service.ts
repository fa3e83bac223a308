import { randomBytes } from 'node:crypto';
import { findOwned } from '../../access/find-owned';
import type { Clock } from '../../platform/clock';
import { Conflict, InvalidInput, NotFound } from '../../platform/errors';
import { sealPassword } from '../../rules/mqtt/broker-password';
import { receiverOfBroker } from '../../rules/mqtt/broker-url';
import type { DecoderName } from '../../rules/mqtt/decoder-names';
import type { Page, PageOf } from '../../rules/paging';
import type { SecretBox } from '../../rules/secret-box';
import { HIDDEN } from '../../rules/webhook-request';
import { withoutUndefined } from '../../rules/without-undefined';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { MqttSource } from '../../storage/models/mqtt-source.model';
import { User } from '../../storage/models/user.model';
import { forUpdate, inTransaction } from '../../storage/transaction';
import type { RemovalStep } from '../accounts/account-removal';

/** Maximum number of sources of one user: each is a connection of a worker. */
const MAX_SOURCES = 20;
const DEFAULT_CREATE_LIMIT = 1_000;
const CLIENT_ID_BYTES = 8;

/** The fields that the owner of a source sets; undefined does not change the field. */
export interface MqttSourceChanges {
  name?: string;
  url?: string;
  username?: string;
  /** Null removes it, `…` keeps it. */
  password?: string | null;
  topics?: readonly string[];
  decoder?: DecoderName;
  clientId?: string;
  protocolVersion?: 4 | 5;
  caCertificate?: string | null;
  enabled?: boolean;
  createLimit?: number;
}

export interface NewMqttSource extends MqttSourceChanges {
  name: string;
  url: string;
  topics: readonly string[];
  decoder: DecoderName;
}

/** The MQTT sources of a user. For other users they do not exist. */
export class MqttSourcesService {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** A page of the user's sources, by id. */
  list(userId: number, page: Page): Promise<PageOf<MqttSource>> {
    return findPage(MqttSource, { where: { ownerId: userId }, order: ['id'] }, page);
  }

  /** A source of the user. */
  get(userId: number, id: number): Promise<MqttSource> {
    return findOwned(MqttSource, { id, ownerId: userId }, 'the MQTT source');
  }

  /** Creates a source, to which a worker connects within seconds; Conflict if the user has reached the limit. */
  async create(userId: number, changes: NewMqttSource): Promise<MqttSource> {
    const { name, url, topics, decoder } = changes;
    return inTransaction(this.database.sequelize, async (transaction) => {
      // Locked, so that concurrent requests count each other's sources.
      const user = await User.findByPk(userId, forUpdate(transaction));
      if (!user || user.closedMs !== null) throw new NotFound('the user');
      const count = await MqttSource.count({ where: { ownerId: userId }, transaction });
      if (count >= MAX_SOURCES) throw new Conflict(`you have ${MAX_SOURCES} MQTT sources, which is as many as you can`);
      const source = MqttSource.build({
        ...{ ownerId: userId, name, url, username: '', topics: JSON.stringify(topics), decoder },
        clientId: `sdp-${randomBytes(CLIENT_ID_BYTES).toString('hex')}`,
        ...{ protocolVersion: 4, enabled: true, createLimit: DEFAULT_CREATE_LIMIT, state: 'connecting' },
        createdMs: this.clock.now(),
      });
      this.apply(source, changes);
      const saved = await source.save({ transaction });
      return saved.reload({ transaction });
    });
  }

  /** Changes the given fields. A worker ends the connection and opens another one. */
  async update(userId: number, id: number, changes: MqttSourceChanges): Promise<MqttSource> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const where = { id, ownerId: userId };
      const source = await findOwned(MqttSource, where, 'the MQTT source', forUpdate(transaction));
      this.apply(source, changes);
      source.set({ revision: source.revision + 1, state: 'connecting', lastError: '' });
      return source.save({ transaction });
    });
  }

  /** Deletes a source. Its sensors stay. The broker keeps its session as long as it keeps sessions without clients. */
  async delete(userId: number, id: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const where = { id, ownerId: userId };
      const source = await findOwned(MqttSource, where, 'the MQTT source', forUpdate(transaction));
      await source.destroy({ transaction });
    });
  }

  private apply(source: MqttSource, { password, topics, ...fields }: MqttSourceChanges): void {
    const former = { url: source.isNewRecord ? null : source.url, clientId: source.clientId, decoder: source.decoder };
    source.set(withoutUndefined({ ...fields, topics: topics && JSON.stringify(topics) }));
    const isMoved = former.url !== null && receiverOfBroker(former.url) !== receiverOfBroker(source.url);
    this.applyPassword(source, password, isMoved);
    // The session is another one.
    if (isMoved || former.clientId !== source.clientId) source.set({ subscribed: null, unconfirmed: null });
    if (isMoved || former.decoder !== source.decoder) source.set({ described: null });
  }

  private applyPassword(source: MqttSource, password: string | null | undefined, isMoved: boolean): void {
    if (password === null) {
      source.password = null;
    } else if (password === undefined || password === HIDDEN) {
      const isStored = !source.isNewRecord && source.password !== null;
      const isAsked = isStored ? isMoved : password === HIDDEN;
      if (isAsked) throw InvalidInput.field('mqtt_source.password', 'must be given again for another broker');
    } else {
      source.password = sealPassword(this.box, password, source);
    }
  }
}

/** Deletes the MQTT sources of a closed account: nothing more is stored for it. */
export const deleteMqttSources: RemovalStep = async (ownerId, { transaction }) => {
  await MqttSource.destroy({ where: { ownerId }, transaction });
  return false;
};
