import { exactJson } from '../../../platform/exact-json';
import { isRecord } from '../../../platform/is-record';
import type { SeriesPoint } from '../series';
import { UnreadableMessage } from '../unreadable';
import { type Description, Descriptions } from './descriptions';
import { type DiscoveredEntity, readDiscoveryTopic, readEntities } from './discovered-entity';
import { KnownEntities } from './known-entities';
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
import { type Payload, payloadOf } from './payload';
import { type StateReader, StateReaders } from './state-readers';

const MAX_ENTITIES = 1_000;
/** In bytes. */
const MAX_TOPIC_BYTES = 1_000;
/** Maximum number of readers of a message: a device with one topic for everything has up to about 70. */
const MAX_READERS = 100;
/** Maximum bytes that all sensors read of a message: each can make a value of the whole message. */
const MAX_READ_BYTES = 1_048_576;
const MAX_NOTES = 3;
/** States without a value. */
const NO_VALUE: ReadonlySet<string> = new Set(['', 'unknown', 'unavailable', 'None', 'null', 'nan']);

/** Names, units and classes come from retained configurations, values from the topics that these name. */
export class HomeAssistantDecoder implements MqttDecoder {
  /** Sensors by the topics of their configurations. */
  private readonly configurations = new Descriptions<DiscoveredEntity[]>();
  private readonly readers = new StateReaders();
  private readonly known = new KnownEntities();
  private entities = 0;

  decode(message: MqttMessage): Decoded {
    const discovery = readDiscoveryTopic(message.topic);
    if (discovery) return this.describe(message, discovery);
    const all = this.readers.of(message.topic);
    if (all.length === 0) return { points: [] };
    const readers = all.slice(
      0,
      Math.min(MAX_READERS, Math.floor(MAX_READ_BYTES / Math.max(1, message.payload.length))),
    );
    const payload = payloadOf(textOf(message));
    const points = readers.flatMap((reader) => pointsOf(reader, payload));
    const note = noteOn(readers, all.length - readers.length, payload);
    return note === undefined ? { points } : { points, note };
  }

  describing(filters: readonly string[]): string[] {
    return [...filters];
  }

  named(): readonly string[] {
    return this.readers.topics;
  }

  restore(descriptions: readonly Description[]): void {
    for (const { topic, content } of descriptions) {
      if (content !== null && this.configurations.add(topic, content)) this.follow(topic, []);
    }
  }

  private describe(message: MqttMessage, { component, object }: { component: string; object: string }): Decoded {
    const { topic, payload } = message;
    if (Buffer.byteLength(topic) > MAX_TOPIC_BYTES) throw new UnreadableMessage('has a topic that is too long');
    const config = payload.length === 0 ? {} : jsonOf(message);
    if (!isRecord(config)) throw new UnreadableMessage('is no configuration of discovery');
    const { entities: all, leftOut } = readEntities(component, object, config, MAX_ENTITIES);
    const doubled = all.filter((entity) => this.known.isOfAnother(entity, topic));
    const entities = all.filter((entity) => !doubled.includes(entity));
    const before = this.configurations.get(topic) ?? [];
    const tooMany = this.whyTooMany(entities, before.length);
    const { change, isLeftOut } = this.configurations.put(
      topic,
      entities.length > 0 && !tooMany ? entities : undefined,
    );
    if (change) this.follow(topic, before);
    const notes = [
      ...leftOut,
      ...doubled.map(({ title, id }) => `${title} is left out: another device has a sensor with its unique_id ${id}`),
      ...(tooMany ?? []),
      ...(isLeftOut ? ['the configuration is left out: those of this source are too large'] : []),
    ];
    return {
      points: [],
      ...(change && { described: [change] }),
      ...(notes.length > 0 && { note: withOthers(notes) }),
    };
  }

  private whyTooMany(entities: readonly DiscoveredEntity[], before: number): string[] | undefined {
    if (this.entities - before + entities.length > MAX_ENTITIES)
      return [`more than ${MAX_ENTITIES} sensors are discovered, the others are left out`];
    if (this.readers.hasRoomFor(entities)) return undefined;
    return ['the configuration is left out: too many topics of states have wildcards'];
  }

  /** `before`: sensors that the configuration named. */
  private follow(topic: string, before: readonly DiscoveredEntity[]): void {
    const after = this.configurations.get(topic) ?? [];
    this.readers.replace(topic, before, after);
    this.known.replace(topic, before, after);
    this.entities += after.length - before.length;
  }
}

function withOthers(notes: readonly string[]): string {
  const others = notes.length - MAX_NOTES;
  return `${notes.slice(0, MAX_NOTES).join('; ')}${others > 0 ? `; and ${others} more` : ''}`;
}

function noteOn(readers: readonly StateReader[], leftOut: number, payload: Payload): string | undefined {
  if (leftOut > 0) {
    return `${leftOut} of its sensors are left out: at most ${MAX_READERS} read a message, and ${MAX_READ_BYTES} bytes together`;
  }
  const strange = readers.find(isStrange);
  const what = isStructure(payload) ? 'nothing is stored' : 'states are stored as they are';
  return strange && `the value template of ${strange.title} is not supported, ${what}`;
}

/** The template is not understood. */
function isStrange({ template, evaluate }: StateReader): boolean {
  return template !== null && !evaluate;
}

function isStructure({ text }: Payload): boolean {
  return /^\s*[[{]/.test(text);
}

function pointsOf(entity: StateReader, payload: Payload): SeriesPoint[] {
  // The whole state of a device, for each of its sensors, helps nobody.
  if (isStrange(entity) && isStructure(payload)) return [];
  const value = entity.evaluate ? entity.evaluate(payload) : stateIn(payload);
  if (value === undefined || value === null || (typeof value === 'string' && NO_VALUE.has(value.trim()))) return [];
  const { component, id, title, tags, unit } = entity;
  const units: Record<string, string> = unit === null ? {} : { value: unit };
  const series = { name: `homeassistant/${component}/${id}`, title, source: 'homeassistant', tags, units };
  if (component === 'binary_sensor') return pointOf(series, switched(value, entity));
  const stored = jsonValue(value);
  // Without the template, the state may be anything.
  const isRaw = entity.template !== null && !entity.evaluate;
  return entity.isNumeric && !isRaw && stored?.dataType !== 'float' ? [] : pointOf(series, stored);
}

function switched(value: unknown, { on, off }: StateReader) {
  const text = typeof value === 'object' ? exactJson(value) : String(value);
  const isOn = spells(text, on);
  if (!isOn && !spells(text, off)) return undefined;
  return { value: String(isOn), dataType: 'boolean' as const };
}

/** Templates write `True`, JSON writes `true`. */
function spells(text: string, payload: string): boolean {
  return text === payload || (/^(true|false)$/i.test(payload) && text.toLowerCase() === payload.toLowerCase());
}

function stateIn(payload: Payload): unknown {
  return isStructure(payload) ? (payload.json() ?? payload.text) : plainValue(payload.text)?.value;
}
