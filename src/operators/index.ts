import { PausedReceivers, type RedeliveriesService } from '../notifications';
import type {
  AuthorizationsService,
  DisabledAccounts,
  KeysService,
  SecondFactorsService,
  SessionsService,
} from '../people';
import type { Clock } from '../platform/clock';
import type { Config } from '../platform/config';
import type { RedisClient } from '../queue';
import type { Database } from '../storage';
import { Backlog } from './backlog';
import { DeliveryGroups } from './delivery-groups';
import { DeliveryTraces } from './delivery-traces';
import { readLoadOfDay } from './load-history';
import { OperatorActions } from './operator-actions';
import { StoreSizes } from './store-size';
import { UserControl } from './user-control';
import { UserCredentials } from './user-credentials';
import { UserUsages } from './user-usage';

/** What operators' use cases need. */
interface OperationsSetting {
  database: Database;
  redisClient: RedisClient;
  config: Pick<Config, 'dataDir'>;
  clock: Clock;
  keys: KeysService;
  disabledAccounts: DisabledAccounts;
  authorizations: AuthorizationsService;
  secondFactors: SecondFactorsService;
  redeliveries: RedeliveriesService;
  sessions: SessionsService;
}

export function buildOperations(setting: OperationsSetting) {
  const { database, redisClient, config, clock, keys, disabledAccounts, authorizations, redeliveries } = setting;
  const { pool, reads } = database;
  const actions = new OperatorActions(pool, clock);
  const userCredentials = new UserCredentials(pool, keys, authorizations, setting.sessions);
  return {
    actions,
    userControl: new UserControl(disabledAccounts, userCredentials, setting.secondFactors, actions, clock),
    loadOfDay: () => readLoadOfDay(reads, clock),
    storeSizes: new StoreSizes({ reads, redis: redisClient, clock, dataDir: config.dataDir }),
    userUsages: new UserUsages(reads, clock),
    backlog: new Backlog(pool, clock),
    deliveryGroups: new DeliveryGroups(pool, redeliveries, clock),
    deliveryTraces: new DeliveryTraces(pool),
    pausedReceivers: new PausedReceivers(pool, clock),
    userCredentials,
  };
}
