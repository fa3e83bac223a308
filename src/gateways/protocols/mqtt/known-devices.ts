import { type Description, Descriptions } from './descriptions';
import type { Decoded } from './message';

/** Maximum number of topics with a device, and of characters of a text that is kept. */
const MAX_KNOWN = 1_000;
const MAX_TEXT = 255;

/** A device below a topic. */
export interface KnownDevice {
  /** What it calls itself, which no renaming changes. */
  id: string;
  /** What people call it. */
  label?: string;
}

/** The devices of a source by the topics above those of their values. A topic keeps its device until it has another. */
export class KnownDevices {
  private readonly known = new Descriptions<KnownDevice>();
  private readonly ids = new Set<string>();

  /** `protocol` is the first part of the names of series. */
  constructor(private readonly protocol: string) {}

  get(topic: string): KnownDevice | undefined {
    return this.known.get(topic);
  }

  /** True if a topic has this device. */
  includes(id: string): boolean {
    return this.ids.has(id);
  }

  /** The name of the series of a device, or of a part of it. */
  nameOf(id: string): string {
    return `${this.protocol}:${id}`;
  }

  /** Takes the device of a topic. Series below the topic, and below the other ones, are led to the device if it is new there. */
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
