import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditedModels as alerts } from '../../../src/alerts/audited-models';
import { auditedModels as gateways } from '../../../src/gateways/audited-models';
import { auditedModels as notifications } from '../../../src/notifications/audited-models';
import { auditedModels as people } from '../../../src/people/audited-models';
import { auditedModels as sensors } from '../../../src/sensors/audited-models';
import { connectModels } from '../../../src/storage/models';

const STATE = 'a state that evaluation, delivery or a connection finds; no operation changes it directly';
const USED = 'when it was used last';

/** SQL that writes audited tables, which hooks of models do not see: by what it is recorded, or why not. */
const UNHOOKED: Readonly<Record<string, string>> = {
  'src/access/alert-access.ts triggers': 'the departure from the group notes the change of each trigger',
  'src/access/rule-edit.ts services': 'a counter of edits, which are recorded',
  'src/alerts/evaluation/service-rows.ts services': STATE,
  'src/alerts/fleets/fleet-fold.ts services': STATE,
  'src/alerts/trigger-store/changed-rule.ts sensor_triggers': STATE,
  'src/alerts/trigger-store/disabled-owner.ts sensor_triggers': STATE,
  'src/alerts/trigger-store/episode-ends.ts sensor_triggers': 'firings.service.ts notes who acknowledges or resolves',
  'src/alerts/trigger-store/inactivity-watch.ts sensor_triggers': STATE,
  'src/alerts/trigger-store/selector-outcome.ts triggers': 'how many sensors its selector found',
  'src/alerts/trigger-store/state-buffer.ts sensor_triggers': STATE,
  'src/alerts/trigger-store/state-rows.ts sensor_triggers': STATE,
  'src/gateways/mqtt/source-leases.ts mqtt_sources': STATE,
  'src/gateways/mqtt/waiting-sources.ts mqtt_sources': STATE,
  'src/gateways/series/series-leads.ts series':
    'a broker describes its topics: the outside name changes, the sensor stays',
  'src/gateways/series/series-maker.ts metatags': 'with the sensors of the upload',
  'src/gateways/series/series-maker.ts sensors': 'one record for all sensors that an upload makes',
  'src/gateways/series/series-maker.ts series': 'with the sensors of the upload',
  'src/notifications/deliveries/probes.ts notifications': STATE,
  'src/notifications/delivery/attempt-log.ts notifications': STATE,
  'src/notifications/delivery/destination-health.ts notifications':
    'by failed attempts; what a recipient decides is noted by unsubscribes.service.ts',
  'src/notifications/delivery/late-alerts.ts notifications': STATE,
  'src/notifications/delivery/proofs.ts notifications': STATE,
  'src/people/accounts/disabled-accounts.ts mqtt_sources': 'ends leases; the account that was disabled is recorded',
  'src/people/accounts/key-lookup.ts api_keys': USED,
  'src/people/accounts/session-lookup.ts sessions': USED,
  'src/people/accounts/weekly-reports.ts users': 'when the next report is due',
  'src/people/oauth/authorizations.service.ts authorizations': USED,
  'src/sensors/fleets/fleet-members.ts connected_sensors':
    'members follow the selector of the fleet, which is recorded',
  'src/sensors/fleets/fleet-members.ts service_inputs': 'members follow the selector of the fleet, which is recorded',
  'src/sensors/fleets/fleet-settings.ts service_inputs':
    'the field is in the settings of the service, which are recorded',
};

/** SQL whose table is a value: of tables that are not audited, or by the clock. */
const COMPUTED: Readonly<Record<string, string>> = {
  'src/alerts/trigger-store/inactivity-watch.ts': STATE,
  'src/maintenance/closed-applications.ts': 'the purge, after an application ended, which is recorded',
  'src/maintenance/purge-task.ts': 'the purge',
  'src/points/point-store/point-removal.ts': 'points; point-deletion.ts notes their number',
};

const KINDS = '(?:INSERT (?:IGNORE )?INTO|REPLACE INTO|DELETE(?: \\w+)? FROM|(?<!KEY |FOR )UPDATE)';
const WRITES = new RegExp(`\\b${KINDS}\\s+([a-z][a-z0-9_]+)`, 'g');
const COMPUTED_WRITES = new RegExp(`\\b${KINDS}\\s+\\$\\{`);
/** Ways of models around their hooks. */
const AROUND_HOOKS = /\.(?:increment|decrement|truncate)\(|\bhooks: false\b|getQueryInterface/;

const sources = ['src', 'jobs', 'workers'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => join(root, file))
    .filter((path) => path.endsWith('.ts') && !/^src\/(generated|storage\/(migrations|models))\//.test(path))
    .map((path) => ({ path, code: readFileSync(path, 'utf8').replace(/\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gs, '') })),
);

describe('writes of audited tables that hooks do not see', () => {
  it('are listed, with what records them', () => {
    connectModels('mysql://nobody@localhost/none');
    const all = [...alerts, ...gateways, ...notifications, ...people, ...sensors];
    const audited = new Set(all.map(({ model }) => String(model.getTableName())));
    const found = sources.flatMap(({ path, code }) =>
      [...code.matchAll(WRITES)].flatMap(([, table = '']) => (audited.has(table) ? `${path} ${table}` : [])),
    );
    assert.deepEqual([...new Set(found)].sort(), Object.keys(UNHOOKED).sort());
  });

  it('whose table is a value are listed', () => {
    const found = sources.filter(({ code }) => COMPUTED_WRITES.test(code)).map(({ path }) => path);
    assert.deepEqual(found.sort(), Object.keys(COMPUTED).sort());
  });

  it('are not made by models', () => {
    const found = sources.filter(({ code }) => AROUND_HOOKS.test(code)).map(({ path }) => path);
    assert.deepEqual(found, []);
  });
});
