import type { Transaction } from 'sequelize';
import { findOwned } from '../../access/find-owned';
import { lockUser } from '../../access/locked-user';
import { unknownSensor } from '../../access/own-sensors';
import { mayRead } from '../../access/sensor.policy';
import type { SensorAccess } from '../../access/sensor-access';
import type { Page, PageOf } from '../../edge/paging';
import type { EventLog } from '../../events/event-log';
import type { Identity, SessionCaller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { Conflict, InvalidInput } from '../../platform/errors';
import { readScopes, type Scope, writeScopes } from '../../platform/scopes';
import { hashSecret, hintOf, isKeySecret, newKeySecret } from '../../platform/secrets';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { ApiKey } from '../../storage/models/api-key.model';
import { forUpdate, inTransaction } from '../../storage/transaction';
import type { BearerKind } from './bearer-tokens';
import { KeyLookup } from './key-lookup';
import { requireLiveSession } from './live-session';

const MAX_KEYS = 100;

/** Null: no end, or all sensors. Undefined: unchanged. */
export interface KeyChanges {
  name?: string;
  expiresMs?: number | null;
  sensors?: readonly number[] | null;
  createLimit?: number | undefined;
}

interface KeyLimits extends Omit<KeyChanges, 'name'> {
  scopes: readonly Scope[];
}

export interface NewKey extends KeyChanges {
  name: string;
  scopes: readonly Scope[];
}

export interface CreatedKey {
  key: ApiKey;
  secret: string;
}

export class KeysService implements BearerKind {
  private readonly lookup: KeyLookup;

  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {
    this.lookup = new KeyLookup(database.uploads, clock);
  }

  recognises(token: string): boolean {
    return isKeySecret(token);
  }

  find(secret: string): Promise<Identity | null> {
    return this.lookup.find(secret);
  }

  lookUp(secret: string): Identity | undefined {
    return this.lookup.lookUp(secret);
  }

  list(userId: number, page: Page): Promise<PageOf<ApiKey>> {
    return findPage(ApiKey, { where: { ownerId: userId }, order: ['id'] }, page);
  }

  get(userId: number, id: number): Promise<ApiKey> {
    return findOwned(ApiKey, { id, ownerId: userId }, 'the key');
  }

  /** Throws Conflict at the limit, NotFound for a sensor that the user cannot see. */
  async create(caller: SessionCaller, { name, scopes, expiresMs, sensors, createLimit }: NewKey): Promise<CreatedKey> {
    const { userId } = caller;
    const secret = newKeySecret();
    const nowMs = this.clock.now();
    const limits = await this.limitsOf(userId, { scopes, expiresMs, sensors, createLimit }, nowMs);
    return inTransaction(this.database.sequelize, async (transaction) => {
      await lockUser(userId, transaction);
      await requireLiveSession(caller, transaction);
      const count = await ApiKey.count({ where: { ownerId: userId }, transaction });
      if (count >= MAX_KEYS) throw new Conflict(`you have ${MAX_KEYS} keys, which is as many as you can`);
      const fields = { name, scopes: writeScopes(scopes), secretHash: hashSecret(secret), hint: hintOf(secret) };
      const key = await ApiKey.create({ ownerId: userId, ...fields, ...limits, createdMs: nowMs }, { transaction });
      await this.events.raise(transaction, { name: 'add_key', subjectId: key.id, userId });
      return { key, secret };
    });
  }

  /** Takes effect with the next request. An expired key with a new end works again. */
  async update(userId: number, id: number, { name, ...limits }: KeyChanges): Promise<ApiKey> {
    const { scopes } = await this.get(userId, id);
    const changed = await this.limitsOf(userId, { ...limits, scopes: readScopes(scopes) }, this.clock.now());
    return inTransaction(this.database.sequelize, async (transaction) => {
      const key = await findOwned(ApiKey, { id, ownerId: userId }, 'the key', forUpdate(transaction));
      key.set({ ...changed, ...(name !== undefined && { name }) });
      return key.save({ transaction });
    });
  }

  /** Refused from the next request on, in every process. */
  async delete(userId: number, id: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const key = await findOwned(ApiKey, { id, ownerId: userId }, 'the key', forUpdate(transaction));
      await this.events.raise(transaction, { name: 'delete_key', subjectId: id, userId });
      await key.destroy({ transaction });
    });
  }

  async deleteAll(userId: number, transaction: Transaction): Promise<void> {
    const keys = await ApiKey.findAll({ where: { ownerId: userId }, order: ['id'], ...forUpdate(transaction) });
    const ended = keys.map(({ id }) => ({ name: 'delete_key' as const, subjectId: id, userId }));
    await this.events.raise(transaction, ended);
    await ApiKey.destroy({ where: { id: keys.map(({ id }) => id) }, transaction });
  }

  /** Counts expired keys as well. */
  count(userId: number, transaction: Transaction): Promise<number> {
    return ApiKey.count({ where: { ownerId: userId }, transaction });
  }

  /** Checked and in stored form; absent fields are left out. */
  private async limitsOf(userId: number, { scopes, expiresMs, sensors, createLimit }: KeyLimits, nowMs: number) {
    if (typeof expiresMs === 'number' && expiresMs <= nowMs) {
      throw InvalidInput.field('key.expires', 'must not be in the past');
    }
    if (sensors && scopes.includes('sensors:create')) {
      throw InvalidInput.field('key.sensors', 'cannot limit a key with the scope sensors:create');
    }
    if (sensors) await this.requireVisible(userId, sensors);
    return {
      ...(expiresMs !== undefined && { expiresMs }),
      ...(createLimit !== undefined && { createLimit }),
      ...(sensors !== undefined && { sensors: sensors && JSON.stringify([...new Set(sensors)]) }),
    };
  }

  private async requireVisible(userId: number, sensorIds: readonly number[]): Promise<void> {
    const relations = await this.access.accessOf(userId, sensorIds);
    sensorIds.forEach((id, index) => {
      if (!mayRead(relations.get(id))) throw unknownSensor(`key.sensors[${index}]`);
    });
  }
}
