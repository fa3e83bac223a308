import { isRecord } from '../../platform/is-record';
import { bestSignal, decodedOf, type LorawanDevice, lorawanPoints, numberOf, textOf, textsOf } from './lorawan';
import { readIsoDate } from './message-dates';
import type { SeriesPoint } from './series';
import { UnreadableMessage } from './unreadable';

type Fields = Record<string, unknown>;

/**
 * An uplink gives its decoded payload with the best `rssi` and `snr`, or `frm_payload` and `f_port` without a
 * formatter. Throws UnreadableMessage if it names no device.
 */
export function readTheThingsStack(message: unknown): SeriesPoint[] {
  if (!isRecord(message)) throw new UnreadableMessage('the message is not a JSON object');
  const ids = readIds(message.end_device_ids);
  const uplink = message.uplink_message;
  if (!isRecord(uplink)) return [];
  const dateMs =
    readIsoDate(uplink.received_at, 'uplink_message.received_at') ?? readIsoDate(message.received_at, 'received_at');
  const decoded = decodedOf(uplink.decoded_payload);
  return lorawanPoints(deviceOf(ids, uplink), {
    payload: decoded ?? {},
    added: {
      ...(decoded ? {} : { frm_payload: textOf(uplink.frm_payload), f_port: numberOf(uplink.f_port) }),
      ...bestSignal(uplink.rx_metadata, isLora(uplink.settings)),
      last_battery_percentage: batteryOf(uplink.last_battery_percentage),
    },
    dateMs,
  });
}

interface Ids {
  deviceId: string;
  applicationId: string | undefined;
  devEui: string | undefined;
}

function readIds(given: unknown): Ids {
  if (!isRecord(given)) throw new UnreadableMessage('end_device_ids is missing');
  const deviceId = textOf(given.device_id);
  if (deviceId === undefined) throw new UnreadableMessage('end_device_ids.device_id is missing');
  const application = isRecord(given.application_ids) ? given.application_ids : {};
  return {
    deviceId,
    applicationId: textOf(application.application_id),
    devEui: textOf(given.dev_eui)?.toUpperCase(),
  };
}

function deviceOf({ deviceId, applicationId, devEui }: Ids, uplink: Fields): LorawanDevice {
  const id = applicationId === undefined ? deviceId : `${applicationId}/${deviceId}`;
  return {
    name: devEui ?? id,
    title: deviceId,
    source: 'ttn',
    tags: {
      ...textsOf(uplink.version_ids),
      ...textsOf(uplink.attributes),
      ...textsOf({ application_id: applicationId, device_id: deviceId, dev_eui: devEui }),
    },
  };
}

function isLora(settings: unknown): boolean {
  return isRecord(settings) && isRecord(settings.data_rate) && isRecord(settings.data_rate.lora);
}

function batteryOf(percentage: unknown): number | undefined {
  return isRecord(percentage) ? numberOf(percentage.value) : undefined;
}
