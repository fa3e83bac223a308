import { isRecord } from '../../rules/is-record';
import type { SeriesPoint } from '../../rules/series';
import { UnreadableMessage } from '../unreadable';
import { type DiscoveredEntity, readDiscoveryTopic, readEntities } from './discovered-entity';
import {
  type Decoded,
  jsonOf,
  jsonValue,
  type MqttDecoder,
  type MqttMessage,
  plainValue,
  pointOf,
  textOf,
} from './message';
import { readValueTemplate, type ValueTemplate } from './value-template';

/** Maximum number of sensors of one source that discovery may name. */
const MAX_ENTITIES = 1_000;
/** States that say that there is no value at the moment. */
const NO_VALUE: ReadonlySet<string> = new Set(['', 'unknown', 'unavailable', 'None', 'null', 'nan']);

interface Known extends DiscoveredEntity {
  /** Undefined without a template, and for a template that is not understood. */
  evaluate: ValueTemplate | undefined;
}

/**
 * The sensors and binary sensors that publish by the discovery of Home Assistant: names, units and classes come from
 * their retained configurations, values from the topics that these name.
 */
export class HomeAssistantDecoder implements MqttDecoder {
  /** By the topics of their configurations. */
  private readonly entities = new Map<string, DiscoveredEntity[]>();
  /** By the topics of their states; undefined after a change, until it is needed. */
  private byTopic: ReadonlyMap<string, Known[]> | undefined;

  decode(message: MqttMessage): Decoded {
    const discovery = readDiscoveryTopic(message.topic);
    if (discovery) return this.describe(message, discovery);
    const entities = this.known.get(message.topic);
    if (!entities) return { points: [] };
    const payload = textOf(message);
    const points = entities.flatMap((entity) => pointsOf(entity, payload));
    const [strange] = entities.filter(({ template, evaluate }) => template !== null && !evaluate);
    if (!strange) return { points };
    return { points, note: `the value template of ${strange.title} is not supported, states are stored as they are` };
  }

  describing(filters: readonly string[]): string[] {
    return [...filters];
  }

  named(): readonly string[] {
    return [...this.known.keys()];
  }

  described(): string | null {
    return this.entities.size === 0 ? null : JSON.stringify([...this.entities]);
  }

  restore(described: string): void {
    const stored = JSON.parse(described) as [string, DiscoveredEntity[]][]; // written by `described`
    for (const [topic, entities] of stored) this.entities.set(topic, entities);
    this.byTopic = undefined;
  }

  private describe(message: MqttMessage, { component, object }: { component: string; object: string }): Decoded {
    const { topic, payload } = message;
    const before = JSON.stringify(this.entities.get(topic) ?? []);
    const config = payload.length === 0 ? {} : jsonOf(message);
    if (!isRecord(config)) throw new UnreadableMessage('is no configuration of discovery');
    const entities = readEntities(component, object, config);
    if (JSON.stringify(entities) === before) return { points: [] };
    this.entities.delete(topic);
    const isFull = [...this.entities.values()].flat().length + entities.length > MAX_ENTITIES;
    if (entities.length > 0 && !isFull) this.entities.set(topic, entities);
    this.byTopic = undefined;
    return {
      points: [],
      isDescribed: true,
      ...(isFull && { note: `more than ${MAX_ENTITIES} sensors are discovered` }),
    };
  }

  private get known(): ReadonlyMap<string, Known[]> {
    this.byTopic ??= indexed([...this.entities.values()].flat());
    return this.byTopic;
  }
}

function indexed(entities: readonly DiscoveredEntity[]): Map<string, Known[]> {
  const byTopic = new Map<string, Known[]>();
  for (const entity of entities) {
    const evaluate = entity.template === null ? undefined : readValueTemplate(entity.template);
    const known = byTopic.get(entity.stateTopic) ?? [];
    known.push({ ...entity, evaluate });
    byTopic.set(entity.stateTopic, known);
  }
  return byTopic;
}

function pointsOf(entity: Known, payload: string): SeriesPoint[] {
  const value = entity.evaluate ? entity.evaluate(payload) : stateIn(payload);
  if (value === undefined || value === null || (typeof value === 'string' && NO_VALUE.has(value.trim()))) return [];
  const { component, id, title, tags, unit } = entity;
  const units: Record<string, string> = unit === null ? {} : { value: unit };
  const series = { name: `homeassistant/${component}/${id}`, title, source: 'homeassistant', tags, units };
  if (component === 'binary_sensor') return pointOf(series, switched(value, entity));
  const stored = jsonValue(value);
  // A state as it arrived, for a template that is not understood, may be anything.
  const isRaw = entity.template !== null && !entity.evaluate;
  return entity.isNumeric && !isRaw && stored?.dataType !== 'float' ? [] : pointOf(series, stored);
}

function switched(value: unknown, { on, off }: Known) {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isOn = spells(text, on);
  if (!isOn && !spells(text, off)) return undefined;
  return { value: String(isOn), dataType: 'boolean' as const };
}

/** Templates of Home Assistant write `True`, JSON writes `true`. */
function spells(text: string, payload: string): boolean {
  return text === payload || (/^(true|false)$/i.test(payload) && text.toLowerCase() === payload.toLowerCase());
}

function stateIn(payload: string): unknown {
  if (!/^\s*[[{]/.test(payload)) return plainValue(payload)?.value;
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}
