import { randomUUID } from 'node:crypto';
import type { SensorAccess } from '../access/sensor-access';
import { auditModels } from '../audit';
import type { FairShareScheduler } from '../fairness/fair-share-scheduler';
import type { CarefulWork } from '../fairness/quarantine/careful-work';
import type { Quota } from '../fairness/quota';
import { AddressGuard } from '../outbound/address-guard';
import type { TlsContexts } from '../outbound/tls-contexts';
import type { Clock } from '../platform/clock';
import type { Config } from '../platform/config';
import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { SecretBox } from '../platform/secret-box';
import type { DataPointWriter } from '../points';
import type { RedisClient } from '../queue';
import type { Database } from '../storage';
import { auditedModels } from './audited-models';
import { InfluxService } from './http/influx.service';
import { MessagesService } from './http/messages.service';
import { RemoteWriteService } from './http/remote-write.service';
import { MessageLog } from './mqtt/message-log';
import { SourceLeases } from './mqtt/source-leases';
import { SourceRunners } from './mqtt/source-runners';
import { WaitingSources } from './mqtt/waiting-sources';
import { WorkGate } from './mqtt/work-gate';
import { MqttSourcesService } from './mqtt-sources/mqtt-sources.service';
import { SeriesService } from './series/series.service';
import { SeriesNames } from './series/series-names';
import { SeriesUploads } from './series/series-uploads.service';
import { SeriesWriter } from './series/series-writer';

interface Parts {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
  redisClient: RedisClient;
  metrics: Metrics;
  secretBox: SecretBox;
  shares: FairShareScheduler;
  careful?: CarefulWork | undefined;
  tlsContexts: TlsContexts;
  sensorAccess: SensorAccess;
  dataPointWriter: DataPointWriter;
  pointQuota: Quota;
}

export function buildGateways({ config, clock, logger, database, pointQuota, secretBox, ...parts }: Parts) {
  auditModels(auditedModels);
  const messages = new MessageLog(parts.redisClient, config.redisPrefix, logger);
  const seriesWriter = new SeriesWriter(new SeriesNames(database.pool), parts.dataPointWriter, clock);
  const seriesUploads = new SeriesUploads(seriesWriter, pointQuota);
  return {
    mqttSources: new SourceRunners({
      leases: new SourceLeases(database.pool, randomUUID()),
      waiting: new WaitingSources(database.pool),
      messages,
      gate: new WorkGate(parts.shares),
      ...{ contexts: parts.tlsContexts, careful: parts.careful },
      writer: seriesWriter,
      guard: new AddressGuard(config.deliveryAllowNetworks),
      box: secretBox,
      quota: pointQuota,
      ...{ clock, logger, metrics: parts.metrics },
    }),
    services: {
      series: new SeriesService(database, parts.sensorAccess),
      seriesWriter,
      influx: new InfluxService(seriesUploads, clock),
      messages: new MessagesService(seriesUploads, clock),
      mqttSources: new MqttSourcesService(database, secretBox, clock, messages),
      remoteWrite: new RemoteWriteService(seriesUploads, clock),
    },
  };
}
