import { randomBytes } from 'node:crypto';
import type { Attributes, Transaction } from 'sequelize';
import { findOwned } from '../../access/find-owned';
import { lockUser } from '../../access/locked-user';
import type { RemovalStep } from '../../access/removal-step';
import type { Page, PageOf } from '../../edge/paging';
import { HIDDEN } from '../../notifications';
import type { Clock } from '../../platform/clock';
import { Conflict, InvalidInput } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import { withoutUndefined } from '../../platform/without-undefined';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { MqttSource } from '../../storage/models/mqtt-source.model';
import { forUpdate, inTransaction } from '../../storage/transaction';
import { sealPassword } from '../mqtt/broker-password';
import { receiverOfBroker } from '../mqtt/broker-url';
import type { RecentMessage } from '../mqtt/recent-message';

/** A source is a connection of a worker. */
const MAX_SOURCES = 20;
/** A worker keeps a TLS context for each certificate. */
const MAX_CERTIFICATES = 5;
const DEFAULT_CREATE_LIMIT = 1_000;
const CLIENT_ID_BYTES = 8;

type MqttSourceColumn =
  | ('name' | 'url' | 'username' | 'decoder' | 'clientId' | 'protocolVersion')
  | ('caCertificate' | 'enabled' | 'createLimit' | 'retained');

/** A password of null is removed, and `…` keeps it. */
export type MqttSourceChanges = Partial<Pick<Attributes<MqttSource>, MqttSourceColumn>> & {
  password?: string | null;
  topics?: readonly string[];
};

export type NewMqttSource = MqttSourceChanges & {
  name: string;
  url: string;
  topics: readonly string[];
  decoder: string;
};

/** Messages by source, newest first. Throws Unavailable if they cannot be read now. */
export interface LatestMessages {
  read(sourceId: number): Promise<RecentMessage[]>;
  forget(sourceId: number): Promise<void>;
}

/** Sources do not exist for other users than their owner. */
export class MqttSourcesService {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
    private readonly clock: Clock,
    private readonly log: LatestMessages,
  ) {}

  list(userId: number, page: Page): Promise<PageOf<MqttSource>> {
    return findPage(MqttSource, { where: { ownerId: userId }, order: ['id'] }, page);
  }

  get(userId: number, id: number): Promise<MqttSource> {
    return findOwned(MqttSource, { id, ownerId: userId }, 'the MQTT source');
  }

  async messages(userId: number, id: number): Promise<RecentMessage[]> {
    await this.get(userId, id);
    return this.log.read(id);
  }

  /** Throws Conflict at the user's limit. */
  async create(userId: number, changes: NewMqttSource): Promise<MqttSource> {
    const { name, url, topics, decoder } = changes;
    return inTransaction(this.database.sequelize, async (transaction) => {
      await lockUser(userId, transaction);
      const count = await MqttSource.count({ where: { ownerId: userId }, transaction });
      if (count >= MAX_SOURCES) throw new Conflict(`you have ${MAX_SOURCES} MQTT sources, which is as many as you can`);
      const source = MqttSource.build({
        ...{ ownerId: userId, name, url, username: '', topics: JSON.stringify(topics), decoder },
        clientId: `sdp-${randomBytes(CLIENT_ID_BYTES).toString('hex')}`,
        ...{ protocolVersion: 4, enabled: true, createLimit: DEFAULT_CREATE_LIMIT, state: 'connecting' },
        ...{ createdMs: this.clock.now(), nextTryMs: this.clock.now() },
      });
      this.apply(source, changes);
      await requireFewCertificates(userId, source, transaction);
      const saved = await source.save({ transaction });
      return saved.reload({ transaction });
    });
  }

  /** A worker connects again. */
  async update(userId: number, id: number, changes: MqttSourceChanges): Promise<MqttSource> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const where = { id, ownerId: userId };
      const source = await findOwned(MqttSource, where, 'the MQTT source', forUpdate(transaction));
      const isDescribedAgain = this.apply(source, changes);
      await requireFewCertificates(userId, source, transaction);
      if (isDescribedAgain) await this.forgetDescriptions(id, transaction);
      source.set({ revision: source.revision + 1, state: 'connecting', lastError: '' });
      source.set({ failures: 0, nextTryMs: this.clock.now() });
      return source.save({ transaction });
    });
  }

  /** Sensors stay, and so may the session at the broker. */
  async delete(userId: number, id: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const where = { id, ownerId: userId };
      const source = await findOwned(MqttSource, where, 'the MQTT source', forUpdate(transaction));
      await source.destroy({ transaction });
    });
    await this.log.forget(id);
  }

  private async forgetDescriptions(sourceId: number, transaction: Transaction): Promise<void> {
    const sql = 'DELETE FROM mqtt_descriptions WHERE source_id = ?';
    await this.database.sequelize.query(sql, { replacements: [sourceId], transaction });
  }

  /** Returns true if the stored descriptions are of another broker or decoder. */
  private apply(source: MqttSource, { password, topics, ...fields }: MqttSourceChanges): boolean {
    const former = { url: source.isNewRecord ? null : source.url, clientId: source.clientId, decoder: source.decoder };
    source.set(withoutUndefined({ ...fields, topics: topics && JSON.stringify(topics) }));
    const isMoved = former.url !== null && receiverOfBroker(former.url) !== receiverOfBroker(source.url);
    this.applyPassword(source, password, isMoved);
    // The session is another one.
    if (isMoved || former.clientId !== source.clientId) source.set({ subscribed: null, unconfirmed: null });
    return isMoved || former.decoder !== source.decoder;
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

/** Throws Conflict if the user's sources trust too many different certificates. */
async function requireFewCertificates(ownerId: number, source: MqttSource, transaction: Transaction): Promise<void> {
  if (source.caCertificate === null || !source.changed('caCertificate')) return;
  const others = await MqttSource.findAll({ where: { ownerId }, attributes: ['id', 'caCertificate'], transaction });
  const known = new Set(others.flatMap(({ id, caCertificate }) => (id === source.id ? [] : (caCertificate ?? []))));
  if (known.add(source.caCertificate).size <= MAX_CERTIFICATES) return;
  throw new Conflict(`your MQTT sources have ${MAX_CERTIFICATES} different certificates, which is as many as they can`);
}

/** Deletes a closed account's sources with their descriptions. Returns true if there may be others. */
export const deleteMqttSources: RemovalStep = async (ownerId, { transaction }) =>
  (await MqttSource.destroy({ where: { ownerId }, limit: 1, transaction })) > 0;
