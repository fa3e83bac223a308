import type { DiscoveredEntity } from './discovered-entity';
import { readValueTemplate, type ValueTemplate } from './value-template';

/** A sensor of discovery that reads the states of a topic. */
export interface StateReader extends DiscoveredEntity {
  /** The topic of its configuration. */
  from: string;
  /** Undefined without a template, and for a template that is not understood. */
  evaluate: ValueTemplate | undefined;
}

/** The sensors of discovery by the topics of their states. */
export class StateReaders {
  private readonly byTopic = new Map<string, StateReader[]>();

  get topics(): string[] {
    return [...this.byTopic.keys()];
  }

  of(topic: string): readonly StateReader[] {
    return this.byTopic.get(topic) ?? [];
  }

  /** Replaces the sensors of one configuration. Costs no more than these and the readers of their topics. */
  replace(from: string, before: readonly DiscoveredEntity[], after: readonly DiscoveredEntity[]): void {
    for (const topic of new Set(before.map(({ stateTopic }) => stateTopic))) {
      const others = this.of(topic).filter((reader) => reader.from !== from);
      if (others.length > 0) this.byTopic.set(topic, others);
      else this.byTopic.delete(topic);
    }
    for (const entity of after) {
      const evaluate = entity.template === null ? undefined : readValueTemplate(entity.template);
      const readers = this.byTopic.get(entity.stateTopic);
      const reader = { ...entity, from, evaluate };
      if (readers) readers.push(reader);
      else this.byTopic.set(entity.stateTopic, [reader]);
    }
  }
}
