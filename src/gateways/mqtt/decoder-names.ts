/** See `src/gateways/protocols/mqtt`. */
export const DECODER_NAMES = ['json', 'plain', 'tasmota', 'zigbee2mqtt', 'shelly', 'homeassistant'] as const;
export type DecoderName = (typeof DECODER_NAMES)[number];
