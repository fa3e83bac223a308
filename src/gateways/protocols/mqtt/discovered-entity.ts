import { isRecord } from '../../../platform/is-record';
import { whyNoFilter } from '../../mqtt/topic-filter';
import { UnreadableMessage } from '../unreadable';

export interface DiscoveredEntity {
  component: 'sensor' | 'binary_sensor';
  id: string;
  title: string;
  /** The device's own name; null if the configuration lacks it, or is of an earlier release. */
  device: string | null;
  /** A topic or a filter. */
  stateTopic: string;
  template: string | null;
  /** States that spell no number say that there is none at the moment. */
  isNumeric: boolean;
  /** Payloads of a binary sensor. */
  on: string;
  off: string;
  unit: string | null;
  tags: Record<string, string>;
}

type Fields = Record<string, unknown>;

const COMPONENTS: ReadonlySet<string> = new Set(['sensor', 'binary_sensor', 'device']);
/** The protocol's abbreviations. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  ...{ stat_t: 'state_topic', unit_of_meas: 'unit_of_measurement', val_tpl: 'value_template', uniq_id: 'unique_id' },
  ...{ dev: 'device', dev_cla: 'device_class', stat_cla: 'state_class', pl_on: 'payload_on', pl_off: 'payload_off' },
  ...{ cmps: 'components', p: 'platform', obj_id: 'object_id', mdl: 'model', mf: 'manufacturer' },
  ...{ sa: 'suggested_area', ids: 'identifiers', cns: 'connections' },
};
const MAX_TITLE = 255;
const MAX_LONG = 1_000;
const MAX_TEXT = 255;

/** Undefined for other topics and other components. */
export function readDiscoveryTopic(topic: string): { component: string; object: string } | undefined {
  const levels = topic.split('/');
  if (levels.at(-1) !== 'config') return undefined;
  // <prefix>/<component>/[<node>/]<object>/config
  for (const at of [levels.length - 4, levels.length - 3]) {
    const component = levels[at];
    if (at >= 1 && component !== undefined && COMPONENTS.has(component)) {
      return { component, object: levels.slice(at + 1, -1).join('/') };
    }
  }
  return undefined;
}

export interface Discovered {
  entities: DiscoveredEntity[];
  leftOut: string[];
}

/** Throws UnreadableMessage if there are more than `most` components. */
export function readEntities(component: string, object: string, config: Fields, most: number): Discovered {
  const root = expanded(config);
  const shared = { device: isRecord(root.device) ? expanded(root.device) : {}, base: root['~'] };
  if (component !== 'device') return discovered(isRemoved(root) ? [] : [entityOf(component, object, root, shared)]);
  const components = isRecord(root.components) ? Object.entries(root.components) : [];
  if (components.length > most) throw new UnreadableMessage(`has more than ${most} components`);
  return discovered(
    components.map(([name, fields]) => {
      const own = isRecord(fields) ? expanded(fields) : {};
      if (isRemoved(own)) return undefined;
      const all = { ...(root.state_topic !== undefined && { state_topic: root.state_topic }), ...own };
      return entityOf(String(own.platform), `${object}/${name}`, all, shared);
    }),
  );
}

function discovered(all: readonly (DiscoveredEntity | string | undefined)[]): Discovered {
  return {
    entities: all.flatMap((one) => (typeof one === 'object' ? [one] : [])),
    leftOut: all.flatMap((one) => (typeof one === 'string' ? [one] : [])),
  };
}

function isRemoved(fields: Fields): boolean {
  return Object.keys(fields).every((name) => name === 'platform');
}

function entityOf(
  component: string,
  object: string,
  fields: Fields,
  { device, base }: { device: Fields; base: unknown },
): DiscoveredEntity | string | undefined {
  if (component !== 'sensor' && component !== 'binary_sensor') return undefined;
  const stateTopic = withBase(fields.state_topic, fields['~'] ?? base);
  const title = titleOf(textIn(device.name), fields, object);
  if (stateTopic === undefined) return `${title} is left out: it has no state_topic`;
  const why = stateTopic.length > MAX_LONG ? `must have 1 to ${MAX_LONG} characters` : whyNoFilter(stateTopic);
  if (why !== null) return `${title} is left out: its state_topic ${why}`;
  const { device_class, unit_of_measurement: unit, value_template: template, state_class } = fields;
  const { model, manufacturer, suggested_area: area, name: deviceName } = device;
  return {
    component,
    id: textIn(fields.unique_id) ?? object,
    title,
    device: identityOf(device),
    stateTopic,
    template: typeof template === 'string' && template !== '' ? template.slice(0, MAX_LONG + 1) : null,
    isNumeric: textIn(unit) !== undefined || textIn(state_class) !== undefined,
    on: textIn(fields.payload_on) ?? 'ON',
    off: textIn(fields.payload_off) ?? 'OFF',
    unit: textIn(unit) ?? null,
    tags: Object.fromEntries(
      Object.entries({ device: deviceName, device_class, model, manufacturer, area }).flatMap(([name, value]) => {
        const text = textIn(value);
        return text === undefined ? [] : [[name, text]];
      }),
    ),
  };
}

/** The first of the identifiers, or of the connections. */
function identityOf({ identifiers, connections }: Fields): string | null {
  const [first] = Array.isArray(identifiers) ? identifiers : [identifiers];
  const [connection] = Array.isArray(connections) ? connections : [];
  return textIn(first) ?? (Array.isArray(connection) ? textIn(connection.join(' ')) : undefined) ?? null;
}

/** Names the device, then the entity, like Home Assistant; `name: null` is the device itself. */
function titleOf(device: string | undefined, fields: Fields, object: string): string {
  const own = fields.name === null ? undefined : (textIn(fields.name) ?? textIn(fields.device_class) ?? object);
  const parts = own !== undefined && device !== undefined && own.startsWith(device) ? [own] : [device, own];
  return (
    parts
      .filter((part) => part !== undefined)
      .join(' ')
      .slice(0, MAX_TITLE) || object
  );
}

/** `~` at the beginning or the end stands for the base. */
function withBase(topic: unknown, base: unknown): string | undefined {
  if (typeof topic !== 'string' || typeof base !== 'string') return typeof topic === 'string' ? topic : undefined;
  if (topic.startsWith('~')) return `${base}${topic.slice(1)}`;
  return topic.endsWith('~') ? `${topic.slice(0, -1)}${base}` : topic;
}

function expanded(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [ABBREVIATIONS[name] ?? name, value]));
}

function textIn(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT) : undefined;
}
