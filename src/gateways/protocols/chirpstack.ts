import { isRecord } from '../../platform/is-record';
import { bestSignal, decodedOf, type LorawanDevice, lorawanPoints, numberOf, textOf, textsOf } from './lorawan';
import { readIsoDate } from './message-dates';
import type { SeriesPoint } from './series';
import { UnreadableMessage } from './unreadable';

type Fields = Record<string, unknown>;

/**
 * ChirpStack 4: `up` gives the decoded object with the best `rssi` and `snr`, or `data` and `fPort` without a codec;
 * `status` gives battery level and margin. Throws UnreadableMessage if one of these two names no device.
 */
export function readChirpStack(event: string, message: unknown): SeriesPoint[] {
  if (event !== 'up' && event !== 'status') return [];
  if (!isRecord(message)) throw new UnreadableMessage('the message is not a JSON object');
  if (message.deviceInfo === undefined && message.devEUI !== undefined) {
    throw new UnreadableMessage('the message is of ChirpStack 3: version 4 is read, with deviceInfo.devEui');
  }
  const device = readDevice(message.deviceInfo);
  const dateMs = readIsoDate(message.time, 'time');
  const decoded = event === 'up' ? decodedOf(message.object) : undefined;
  const added = event === 'up' ? uplinkFields(message, decoded !== undefined) : statusFields(message);
  return lorawanPoints(device, { payload: decoded ?? {}, added, dateMs });
}

function readDevice(info: unknown): LorawanDevice {
  const { devEui, deviceName, tenantName, applicationName, deviceProfileName, tags } = isRecord(info) ? info : {};
  const name = textOf(devEui)?.toUpperCase();
  if (name === undefined) throw new UnreadableMessage('deviceInfo.devEui is missing');
  return {
    name,
    title: textOf(deviceName) ?? name,
    source: 'chirpstack',
    tags: {
      ...textsOf(tags),
      ...textsOf({ tenantName, applicationName, deviceProfileName, deviceName, devEui: name }),
    },
  };
}

function uplinkFields({ data, fPort, rxInfo, txInfo }: Fields, isDecoded: boolean) {
  const raw = isDecoded ? {} : { data: textOf(data), fPort: numberOf(fPort) };
  return { ...raw, ...bestSignal(rxInfo, isLora(txInfo)) };
}

/** The level is 0 with external power, and if it is unknown. */
function statusFields({ margin, batteryLevel, batteryLevelUnavailable, externalPowerSource }: Fields) {
  const isKnown = batteryLevelUnavailable !== true && externalPowerSource !== true;
  return {
    batteryLevel: isKnown ? numberOf(batteryLevel) : undefined,
    margin: numberOf(margin),
    externalPowerSource: typeof externalPowerSource === 'boolean' ? externalPowerSource : undefined,
  };
}

function isLora(txInfo: unknown): boolean {
  return isRecord(txInfo) && isRecord(txInfo.modulation) && isRecord(txInfo.modulation.lora);
}
