import 'reflect-metadata';
import assert from 'node:assert/strict';
import { auditedModels as alerts } from '../../../src/alerts/audited-models';
import { auditedModels as archives } from '../../../src/archives/audited-models';
import type { AuditedModel } from '../../../src/audit';
import { auditedModels as gateways } from '../../../src/gateways/audited-models';
import { auditedModels as notifications } from '../../../src/notifications/audited-models';
import { auditedModels as people } from '../../../src/people/audited-models';
import { auditedModels as sensors } from '../../../src/sensors/audited-models';
import { connectModels, models } from '../../../src/storage/models';

const AUDITED = [...alerts, ...archives, ...gateways, ...notifications, ...people, ...sensors];

/** Why the history leaves these tables out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  archive_parts: 'pieces of a file, whose export or import is recorded',
  degraded_receivers: 'a state that attempts find',
  deleted_notifications: 'what the purge still has to send',
  deliveries: 'each has a record of its own, with its attempts',
  delivery_attempts: 'each is a record',
  devices: 'made with the first of its sensors and removed with the last, whose records name it',
  events: 'each is a record',
  firings: 'what users do with them is recorded by the SQL that does it',
  former_members: 'follows from the end of a membership, which is recorded',
  former_sensor_demands: 'what a group demanded before, which its record shows',
  login_networks: 'from where a user signed in before; each sign-in is recorded',
  mail_recipients: 'what recipients decide is recorded by the SQL that does it',
  oauth1_nonces: 'seen requests of applications',
  oauth1_tokens: 'the authorization that it depends on is recorded',
  oauth2_grants: 'the authorization that it depends on is recorded',
  oauth2_tokens: 'the authorization that it depends on is recorded',
  password_resets: 'its use changes the password, which is recorded',
  paused_receivers: 'belongs to no account; operators have their own log',
  purge_queue: 'follows from a deletion, which is recorded',
  recovery_codes: 'what is done with them is recorded with their number',
  refused_shares: 'follows from the end of a share, which is recorded',
  rule_set_items: 'which set manages a thing; the changes of the things are recorded',
  selector_owners: 'a position of the follower of selectors',
  sensor_list_versions: 'a counter of changes that are recorded',
  throttled_deliveries: 'a state of deliveries',
  trigger_versions: 'each is a record of a trigger, whose change is recorded',
};

const SECRETS = /password|secret|token|keys?$|hash|headers|destination|body/i;
/** No secrets in spite of their names. */
const HARMLESS = ['usernameKey', 'valueKey'];

describe('the history', () => {
  before(() => {
    connectModels('mysql://nobody@localhost/none');
  });

  const keysOf = ({ id = 'id', owner, group, parent, item }: AuditedModel) =>
    [id, owner, group, parent?.key, ...(item?.attributes ?? [])].filter((name) => typeof name === 'string');

  it('has every table, or says why not', () => {
    const known = new Set([...AUDITED.map(({ model }) => String(model.getTableName())), ...Object.keys(LEFT_OUT)]);
    const tables = models.map((model) => String(model.getTableName()));
    assert.deepEqual(
      tables.filter((table) => !known.has(table)),
      [],
    );
    const audited = AUDITED.map(({ model }) => String(model.getTableName()));
    assert.deepEqual(
      audited.filter((table) => LEFT_OUT[table]),
      [],
    );
  });

  for (const each of AUDITED) {
    it(`knows every column of ${each.model.name}`, () => {
      const { shown = [], secret = [], quiet = [] } = each;
      const named = [...new Set([...keysOf(each), ...shown, ...secret, ...quiet])].sort();
      assert.deepEqual(named, Object.keys(each.model.getAttributes()).sort());
      const listed = [...shown, ...secret, ...quiet];
      assert.equal(new Set(listed).size, listed.length, 'a column is listed twice');
      assert.deepEqual(
        quiet.filter((name) => keysOf(each).includes(name)),
        [],
        'rows are read without quiet columns',
      );
    });

    it(`shows no secret of ${each.model.name}`, () => {
      const suspicious = [...(each.shown ?? []), ...(each.item?.attributes ?? [])].filter((name) => SECRETS.test(name));
      assert.deepEqual(
        suspicious.filter((name) => !HARMLESS.includes(name)),
        [],
      );
    });
  }
});
