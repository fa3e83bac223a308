import type { PointQuota } from '../../fairness/point-quota';
import type { CarefulWork } from '../../fairness/quarantine/careful-work';
import type { AddressGuard } from '../../outbound/address-guard';
import type { TlsContexts } from '../../outbound/tls-contexts';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import type { Metrics } from '../../platform/metrics';
import type { SecretBox } from '../../platform/secret-box';
import type { SeriesWriter } from '../series/series-writer';
import type { MessageLog } from './message-log';
import type { SourceLeases } from './source-leases';
import type { WaitingSources } from './waiting-sources';
import type { WorkGate } from './work-gate';

export interface MqttParts {
  leases: SourceLeases;
  waiting: WaitingSources;
  messages: MessageLog;
  writer: SeriesWriter;
  quota: PointQuota;
  guard: AddressGuard;
  contexts: TlsContexts;
  gate: WorkGate;
  box: SecretBox;
  /** Isolates sources whose messages end their process; absent in the lone process. */
  careful?: CarefulWork | undefined;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'mqttMessages'>;
}
