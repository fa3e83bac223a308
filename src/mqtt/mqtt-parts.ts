import type { PointQuota } from '../fairness/point-quota';
import type { AddressGuard } from '../outbound/address-guard';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { SeriesWriter } from '../resources/series/series-writer';
import type { SecretBox } from '../rules/secret-box';
import type { SourceLeases } from './source-leases';

/** What the connections of a process share. */
export interface MqttParts {
  leases: SourceLeases;
  writer: SeriesWriter;
  quota: PointQuota;
  guard: AddressGuard;
  /** PEM certificates that all brokers may use, in addition to those that Node trusts. */
  authorities: readonly string[];
  box: SecretBox;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'mqttMessages'>;
}
