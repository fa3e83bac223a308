import { type Description, Descriptions } from './descriptions';
import type { Decoded } from './message';

const MAX_KNOWN = 1_000;
const MAX_TEXT = 255;

export interface KnownDevice {
  /** No renaming changes it. */
  id: string;
  label?: string;
}

/** A topic keeps its device until it has another. */
export class KnownDevices {
  private readonly known = new Descriptions<KnownDevice>();
  private readonly ids = new Set<string>();

  /** `protocol` begins the names of series. */
  constructor(private readonly protocol: string) {}

  get(topic: string): KnownDevice | undefined {
    return this.known.get(topic);
  }

  includes(id: string): boolean {
    return this.ids.has(id);
  }

  nameOf(id: string): string {
    return `${this.protocol}:${id}`;
  }

  /** Leads series below the topic and the others to the device, if it is new there. */
  put(topic: string, device: KnownDevice, others: readonly string[] = []): Omit<Decoded, 'points'> {
    const before = this.known.get(topic);
    if (topic.length > MAX_TEXT || device.id.length > MAX_TEXT) return {};
    if (!before && this.known.topics.length >= MAX_KNOWN) {
      return {
        note: `the device is left out: more than ${MAX_KNOWN} are known, it has another series when it is renamed`,
      };
    }
    const { change, isLeftOut } = this.known.put(topic, {
      ...device,
      ...(device.label && { label: device.label.slice(0, MAX_TEXT) }),
    });
    if (isLeftOut) return { note: 'the device is left out: what is known of devices is too large' };
    if (!change?.content) return {};
    this.ids.add(device.id);
    const leads = before ? [] : [topic, ...others].map((from) => ({ from, to: this.nameOf(device.id) }));
    return { described: [change], ...(leads.length > 0 && { leads }) };
  }

  restore(descriptions: readonly Description[]): void {
    for (const { topic, content } of descriptions) {
      if (content === null || !this.known.add(topic, content)) continue;
      const device = this.known.get(topic);
      if (device) this.ids.add(device.id);
    }
  }
}
