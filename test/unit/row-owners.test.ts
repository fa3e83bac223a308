import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which rooms write a table. One owner each, except where the comment says why. */
const WRITERS: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['src/people'],
  applications: ['src/people'],
  archive_parts: ['src/archives'],
  archives: ['src/archives'],
  audit_heads: ['src/audit'],
  audit_records: ['src/audit'],
  authorizations: ['src/people'],
  connected_sensors: ['src/sensors'],
  dashboards: ['src/sensors'],
  data_chunks: ['src/points'],
  data_points: ['src/points'],
  degraded_receivers: ['src/notifications'],
  deleted_notifications: ['src/notifications'],
  deliveries: ['src/notifications'],
  delivery_attempts: ['src/notifications'],
  device_sensors: ['src/sensors'],
  devices: ['src/sensors'],
  environment_sensors: ['src/sensors'],
  environments: ['src/sensors'],
  event_charges: ['src/notifications'],
  event_notifications: ['src/notifications'],
  // Every wing may log an event; notifications dispatch them.
  events: ['src/events', 'src/notifications'],
  firings: ['src/alerts'],
  fleet_changes: ['src/alerts'],
  // Passes note what members sent; the owner decides who is a member.
  fleets: ['src/alerts', 'src/sensors'],
  floor_plans: ['src/sensors'],
  former_members: ['src/people'],
  former_sensor_demands: ['src/people'],
  group_sensors: ['src/people'],
  group_users: ['src/people'],
  heartbeats: ['src/points'],
  identities: ['src/people'],
  inbox_batches: ['src/points'],
  invitations: ['src/people'],
  late_points: ['src/alerts'],
  login_networks: ['src/people'],
  mail_recipients: ['src/notifications'],
  maintenance_cursors: ['src/maintenance'],
  // New series bring new sensors with metatags.
  metatags: ['src/gateways', 'src/sensors'],
  minute_samples: ['src/operators'],
  mqtt_descriptions: ['src/gateways'],
  // Disabling an account ends the leases of its sources.
  mqtt_sources: ['src/gateways', 'src/people'],
  mutes: ['src/alerts'],
  notifications: ['src/notifications'],
  oauth1_nonces: ['src/people'],
  oauth1_tokens: ['src/people'],
  oauth2_grants: ['src/people'],
  oauth2_tokens: ['src/people'],
  operator_actions: ['src/operators'],
  outages: ['src/points'],
  throttled_deliveries: ['src/notifications'],
  // An edit of rules gives partitions a new epoch.
  partitions: ['src/access', 'src/points'],
  passkeys: ['src/people'],
  password_resets: ['src/people'],
  paused_receivers: ['src/notifications'],
  // The deletion of a thing leaves its history to the purge, in its transaction.
  purge_queue: ['src/alerts', 'src/maintenance', 'src/people', 'src/sensors'],
  quarantine: ['src/fairness'],
  recovery_codes: ['src/people'],
  refused_mailboxes: ['src/notifications'],
  refused_shares: ['src/people'],
  rule_set_items: ['src/alerts'],
  // A change of what a selector may match leaves its owner to the follower.
  selector_owners: ['src/access', 'src/alerts'],
  sensor_list_versions: ['src/access'],
  sensor_notes: ['src/sensors'],
  // A deleted notification is disconnected in its transaction.
  sensor_trigger_notifications: ['src/alerts', 'src/notifications'],
  // A receiver of a deleted or unsubscribed notification.
  sensor_triggers: ['src/alerts', 'src/notifications'],
  // Blocking a user ends shares.
  sensor_users: ['src/people', 'src/sensors'],
  sensors: ['src/gateways', 'src/sensors'],
  series: ['src/gateways'],
  server_dates: ['src/points'],
  service_examples: ['src/sensors'],
  service_inputs: ['src/sensors'],
  // Passes write the memories of services, edits their versions.
  services: ['src/access', 'src/alerts', 'src/sensors'],
  sessions: ['src/people'],
  shadow_firings: ['src/alerts'],
  shadow_states: ['src/alerts'],
  write_behind_buffer: ['src/alerts'],
  stream_head: ['src/points'],
  change_log: ['src/points'],
  stream_topics: ['src/points'],
  totp_secrets: ['src/people'],
  training_jobs: ['src/sensors'],
  trigger_notifications: ['src/alerts', 'src/notifications'],
  trigger_shadows: ['src/alerts'],
  trigger_versions: ['src/alerts'],
  // A member who leaves a group takes the alerts along.
  triggers: ['src/access', 'src/alerts'],
  usage_counts: ['src/storage'],
  user_blocks: ['src/people'],
  user_groups: ['src/people'],
  user_hours: ['src/operators'],
  users: ['src/people'],
  vapid_keys: ['src/notifications'],
};

/** The only rooms that name these tables or their models at all; others call functions of the owner. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  data_points: ['src/points'],
  data_chunks: ['src/points'],
  deliveries: ['src/notifications', 'src/operators'],
  notifications: ['src/notifications'],
  // Access decides who sees the alerts of a trigger.
  triggers: ['src/access', 'src/alerts', 'src/notifications'],
};

const WRITES = /\b(?:INSERT (?:IGNORE )?INTO|REPLACE INTO|DELETE FROM|(?<!KEY |FOR )UPDATE)\s+([a-z][a-z0-9_]+)/g;
const READS = /\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z][a-z0-9_]+)/g;
const CHANGES = '(?:build|create|bulkCreate|update|destroy|upsert|findOrCreate|increment|decrement)';

/** The table of each model, by the name of its class. */
const models = new Map(
  readdirSync('src/storage/models').flatMap((file) => {
    const text = readFileSync(join('src/storage/models', file), 'utf8');
    const [table, name] = [/tableName: '(\w+)'/.exec(text)?.[1], /export class (\w+)/.exec(text)?.[1]];
    return table && name ? [[name, table] as const] : [];
  }),
);

interface Source {
  room: string;
  path: string;
  /** Without comments. */
  code: string;
  /** The models that it imports as values. */
  imported: string[];
}

const sources: Source[] = ['src', 'jobs', 'workers'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => join(root, file))
    .filter((path) => path.endsWith('.ts') && !/^src\/(generated|storage\/(migrations|models))\//.test(path))
    .map(readSource),
);

function readSource(path: string): Source {
  const code = readFileSync(path, 'utf8').replace(/\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gs, '');
  const imports = [...code.matchAll(/^import \{([^}]*)\} from '[^']*models\//gm)];
  const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  const [first = '', second = ''] = path.split('/');
  const room = first === 'src' ? `src/${second.replace('.ts', '')}` : first;
  return { room, path, code, imported: names.filter((name) => models.has(name)) };
}

const tablesIn = (texts: string, pattern: RegExp) =>
  new Set([...texts.matchAll(pattern)].map(([, table = '']) => table));

function written({ code, imported }: Source): Set<string> {
  const tables = tablesIn(code, WRITES);
  for (const name of imported) {
    if (new RegExp(`\\b${name}\\.${CHANGES}\\(`).test(code)) tables.add(String(models.get(name)));
  }
  return tables;
}

function named({ code, imported }: Source): Set<string> {
  return new Set([...tablesIn(code, READS), ...imported.map((name) => String(models.get(name)))]);
}

describe('rows', () => {
  it('are written by their owners only', () => {
    const wrong = sources.flatMap((source) =>
      [...written(source)]
        .filter((table) => WRITERS[table] && !WRITERS[table].includes(source.room))
        .map((table) => `${source.path} writes ${table}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('have an owner, who writes them', () => {
    for (const [table, rooms] of Object.entries(WRITERS)) {
      const writers = sources.filter((source) => written(source).has(table)).map(({ room }) => room);
      assert.deepEqual([...new Set(writers)].sort(), rooms, table);
    }
    const unknown = [...models.values()].filter((table) => !WRITERS[table]);
    assert.deepEqual(unknown, []);
  });

  it('of data points, deliveries, notifications and triggers are read by few', () => {
    for (const [table, rooms] of Object.entries(READERS)) {
      const others = sources.filter((source) => named(source).has(table) && !rooms.includes(source.room));
      assert.deepEqual(
        others.map(({ path }) => path),
        [],
        table,
      );
    }
  });
});
