import type { DiscoveredEntity } from './discovered-entity';

export class KnownEntities {
  private readonly devices = new Map<string, { device: string | null; from: Set<string> }>();

  /** True if another device's sensor has the `unique_id`: their values would be mixed. */
  isOfAnother({ component, id, device }: DiscoveredEntity, from: string): boolean {
    const known = this.devices.get(`${component}/${id}`);
    if (!known || known.device === null || device === null || known.device === device) return false;
    return known.from.size > 1 || !known.from.has(from);
  }

  /** Replaces the sensors of one configuration. */
  replace(from: string, before: readonly DiscoveredEntity[], after: readonly DiscoveredEntity[]): void {
    for (const { component, id } of before) {
      const known = this.devices.get(`${component}/${id}`);
      known?.from.delete(from);
      if (known?.from.size === 0) this.devices.delete(`${component}/${id}`);
    }
    for (const { component, id, device } of after) {
      const known = this.devices.get(`${component}/${id}`);
      if (known) known.from.add(from);
      else this.devices.set(`${component}/${id}`, { device: device ?? null, from: new Set([from]) });
    }
  }
}
