import type { DecoderName } from '../../mqtt/decoder-names';
import { HomeAssistantDecoder } from './homeassistant';
import { decodeJson } from './json';
import { type MqttDecoder, stateless } from './message';
import { decodePlain } from './plain';
import { ShellyDecoder } from './shelly';
import { TasmotaDecoder } from './tasmota';
import { Zigbee2MqttDecoder } from './zigbee2mqtt';

export type { Description } from './descriptions';
export type { Decoded, MqttDecoder } from './message';

const DECODERS: Readonly<Record<DecoderName, () => MqttDecoder>> = {
  json: () => stateless(decodeJson),
  plain: () => stateless(decodePlain),
  tasmota: () => new TasmotaDecoder(),
  zigbee2mqtt: () => new Zigbee2MqttDecoder(),
  shelly: () => new ShellyDecoder(),
  homeassistant: () => new HomeAssistantDecoder(),
};

export function openDecoder(name: DecoderName): MqttDecoder {
  return DECODERS[name]();
}
