import type { SensorAccess } from '../../access/sensor-access';
import type { Quota } from '../../fairness/quota';
import type { DataPointWriter } from '../../intake/data-point-writer';
import type { Clock } from '../../platform/clock';
import type { SecretBox } from '../../rules/secret-box';
import type { Database } from '../../storage';
import { type LatestMessages, MqttSourcesService } from '../mqtt-sources/mqtt-sources.service';
import { SeriesService } from '../series/series.service';
import { SeriesNames } from '../series/series-names';
import { SeriesUploads } from '../series/series-uploads.service';
import { SeriesWriter } from '../series/series-writer';
import { InfluxService } from './influx.service';
import { MessagesService } from './messages.service';
import { RemoteWriteService } from './remote-write.service';

interface Parts {
  database: Database;
  clock: Clock;
  sensorAccess: SensorAccess;
  dataPointWriter: DataPointWriter;
  pointQuota: Quota;
  secretBox: SecretBox;
  messageLog: LatestMessages;
}

/** Builds the use cases of series with outside names, and of the protocols that report them. */
export function buildSeries({
  database,
  clock,
  sensorAccess,
  dataPointWriter,
  pointQuota,
  secretBox,
  ...parts
}: Parts) {
  const seriesWriter = new SeriesWriter(new SeriesNames(database.pool), dataPointWriter, clock);
  const seriesUploads = new SeriesUploads(seriesWriter, pointQuota);
  return {
    series: new SeriesService(database, sensorAccess),
    seriesWriter,
    influx: new InfluxService(seriesUploads, clock),
    messages: new MessagesService(seriesUploads, clock),
    mqttSources: new MqttSourcesService(database, secretBox, clock, parts.messageLog),
    remoteWrite: new RemoteWriteService(seriesUploads, clock),
  };
}
