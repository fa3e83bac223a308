import { isRecord } from '../../../platform/is-record';

const [MAX_UNITS, MAX_TEXT] = [100, 100];
const ADDRESS = /^0x[0-9a-f]{1,32}$/i;

export interface Device {
  /** No renaming changes the address. */
  address?: string;
  units: Record<string, string>;
  tags: Record<string, string>;
}

/** Returns devices by the topics of their states, without the coordinator. */
export function readDevices(base: string, list: unknown): [topic: string, Device][] {
  return (Array.isArray(list) ? list : []).flatMap((device: unknown) => deviceIn(base, device) ?? []);
}

/** Undefined without an address. */
export function addressOf(device: unknown): string | undefined {
  if (!isRecord(device)) return undefined;
  const given = device.ieee_address ?? device.ieeeAddr;
  return typeof given === 'string' && ADDRESS.test(given) ? given.toLowerCase() : undefined;
}

function deviceIn(base: string, device: unknown): [string, Device][] | undefined {
  if (!isRecord(device) || typeof device.friendly_name !== 'string') return undefined;
  const { friendly_name: name, definition } = device;
  const address = addressOf(device);
  if (device.type === 'Coordinator' || name.length > MAX_TEXT) return undefined;
  if (!isRecord(definition))
    return address === undefined ? undefined : [[`${base}/${name}`, { address, units: {}, tags: {} }]];
  const { exposes, model, vendor } = definition;
  const tags = Object.entries({ model, vendor }).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= MAX_TEXT,
  );
  const units = Object.fromEntries(unitsIn(exposes).filter(isShort).slice(0, MAX_UNITS));
  return [[`${base}/${name}`, { ...(address !== undefined && { address }), units, tags: Object.fromEntries(tags) }]];
}

function isShort(texts: readonly string[]): boolean {
  return texts.every((text) => text.length <= MAX_TEXT);
}

function unitsIn(exposes: unknown, path = '', depth = 0): [string, string][] {
  if (!Array.isArray(exposes) || depth > 4) return [];
  return exposes.flatMap((one: unknown): [string, string][] => {
    if (!isRecord(one)) return [];
    const property = typeof one.property === 'string' ? `${path}${one.property}` : undefined;
    // Features of a light or a switch are fields of the state, those of a composite fields of its property.
    const inner = unitsIn(one.features, property === undefined ? path : `${property}.`, depth + 1);
    return property !== undefined && typeof one.unit === 'string' ? [[property, one.unit], ...inner] : inner;
  });
}
