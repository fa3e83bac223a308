import { coversLevels, isWild, levelsOf } from '../../mqtt/topic-filter';
import type { DiscoveredEntity } from './discovered-entity';
import { readValueTemplate, type ValueTemplate } from './value-template';

export interface StateReader extends DiscoveredEntity {
  from: string;
  evaluate: ValueTemplate | undefined;
}

/** Filters with wildcards are compared with the topic of each message. */
const MAX_WILD = 100;

/** Sensors by the topics of their states, which may be filters. */
export class StateReaders {
  private readonly byTopic = new Map<string, StateReader[]>();
  /** Levels of the keys of `byTopic` with wildcards. */
  private readonly wild = new Map<string, readonly string[]>();

  get topics(): string[] {
    return [...this.byTopic.keys()];
  }

  of(topic: string): readonly StateReader[] {
    const exact = this.byTopic.get(topic) ?? [];
    if (this.wild.size === 0) return exact;
    const levels = levelsOf(topic);
    const matching = [...this.wild].filter(([, filter]) => coversLevels(filter, levels));
    if (matching.length === 0) return exact;
    return [...exact, ...matching.flatMap(([filter]) => this.byTopic.get(filter) ?? [])];
  }

  hasRoomFor(entities: readonly DiscoveredEntity[]): boolean {
    const more = new Set(entities.map(({ stateTopic }) => stateTopic).filter((topic) => isWild(topic)));
    return new Set([...this.wild.keys(), ...more]).size <= MAX_WILD;
  }

  replace(from: string, before: readonly DiscoveredEntity[], after: readonly DiscoveredEntity[]): void {
    for (const topic of new Set(before.map(({ stateTopic }) => stateTopic))) {
      const others = (this.byTopic.get(topic) ?? []).filter((reader) => reader.from !== from);
      if (others.length > 0) this.byTopic.set(topic, others);
      else {
        this.byTopic.delete(topic);
        this.wild.delete(topic);
      }
    }
    for (const entity of after) {
      const evaluate = entity.template === null ? undefined : readValueTemplate(entity.template);
      const readers = this.byTopic.get(entity.stateTopic);
      const reader = { ...entity, from, evaluate };
      if (readers) readers.push(reader);
      else this.byTopic.set(entity.stateTopic, [reader]);
      if (isWild(entity.stateTopic)) this.wild.set(entity.stateTopic, levelsOf(entity.stateTopic));
    }
  }
}
