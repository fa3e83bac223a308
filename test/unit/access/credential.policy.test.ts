import assert from 'node:assert/strict';
import fc from 'fast-check';
import { judge, type Operation, type Powers, type Verdict } from '../../../src/access/credential.policy';
import { hold, SCOPES, type Scope } from '../../../src/platform/scopes';

const scopes = fc.uniqueArray(fc.constantFrom(...SCOPES));
const sensors = fc.option(
  fc.uniqueArray(fc.integer({ min: 1, max: 5 })).map((ids): ReadonlySet<number> => new Set(ids)),
  { nil: undefined },
);
const token: fc.Arbitrary<Powers> = fc.record({ kind: fc.constantFrom('key', 'oauth1', 'oauth2'), scopes, sensors });
const operation: fc.Arbitrary<Operation> = fc.record({
  requires: fc.constantFrom('session', ...SCOPES),
  method: fc.constantFrom('get', 'post', 'put', 'delete'),
  documentPath: fc.constantFrom(
    ...['/sensors', '/sensors/data', '/sensors/find', '/sensors/{id}', '/sensors/{id}/data', '/sensors/{id}/users'],
    ...['/sensors/{id}/users/{user_id}', '/sensors/users', '/triggers/{id}', '/groups', '/users/current'],
  ),
});
const sensorId = fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined });

const key = (powers: Partial<Powers>): Powers => ({ kind: 'key', scopes: [...SCOPES], ...powers });
const limited = key({ sensors: new Set([1]) });
const op = (method: string, documentPath: string, requires: Operation['requires'] = 'write'): Operation => ({
  ...{ requires, method, documentPath },
});
const keeping = (one: Operation): Operation => ({ ...one, keepsToSensors: true });

describe('what a credential may do', () => {
  it('is everything for a session', () => {
    fc.assert(fc.property(operation, sensorId, (one, id) => judge({ kind: 'session' }, one, id) === 'allowed'));
  });

  it('is nothing of the account for a key or a token', () => {
    fc.assert(
      fc.property(token, operation, sensorId, (powers, one, id) => {
        return judge(powers, { ...one, requires: 'session' }, id) === 'needs-session';
      }),
    );
  });

  it('requires the scope itself, or write for what it includes', () => {
    fc.assert(
      fc.property(scopes, fc.constantFrom(...SCOPES), operation, sensorId, (held, requires, one, id) => {
        const set = new Set<Scope>(
          held.flatMap((scope) =>
            scope === 'write' ? ['write', 'data:write', 'sensors:create', 'rules:propose'] : [scope],
          ),
        );
        const verdict = judge({ kind: 'key', scopes: held }, { ...one, requires }, id);
        assert.equal(verdict, set.has(requires) ? 'allowed' : 'lacks-scope');
      }),
    );
  });

  it('never grows when a scope is taken away or sensors are named', () => {
    fc.assert(
      fc.property(token, operation, sensorId, scopes, sensors, (powers, one, id, fewer, named) => {
        const kept = (powers.scopes ?? []).filter((scope) => fewer.includes(scope));
        const inside = powers.sensors && new Set([...powers.sensors].filter((sensor) => !named || named.has(sensor)));
        const less = { ...powers, scopes: kept, sensors: inside ?? named };
        assert.ok(judge(less, one, id) !== 'allowed' || judge(powers, one, id) === 'allowed');
      }),
    );
  });

  it('never reaches a sensor that is not among those of the key', () => {
    fc.assert(
      fc.property(token, operation, sensorId, (powers, one, id) => {
        const isNamed = one.documentPath.startsWith('/sensors/{id}');
        if (!isNamed || !powers.sensors || (id !== undefined && powers.sensors.has(id))) return;
        assert.notEqual(judge(powers, one, id), 'allowed');
      }),
    );
  });

  for (const [what, powers, one, id, verdict] of [
    ['the sensor itself', limited, op('get', '/sensors/{id}', 'read'), 1, 'allowed'],
    ['a change of it', limited, op('put', '/sensors/{id}'), 1, 'allowed'],
    ['its data', limited, op('POST', '/sensors/{id}/data', 'data:write'), 1, 'allowed'],
    ['what lies under it', limited, op('get', '/sensors/{id}/triggers/{trigger_id}/firings', 'read'), 1, 'allowed'],
    ['its deletion', limited, op('delete', '/sensors/{id}'), 1, 'outside-of-its-sensors'],
    ['its readers', limited, op('get', '/sensors/{id}/users', 'read'), 1, 'outside-of-its-sensors'],
    ['sharing it', limited, op('post', '/sensors/{id}/users'), 1, 'outside-of-its-sensors'],
    ['ending a share', limited, op('delete', '/sensors/{id}/users/{user_id}'), 1, 'outside-of-its-sensors'],
    ['another sensor', limited, op('get', '/sensors/{id}', 'read'), 2, 'hidden-sensor'],
    ['the deletion of another sensor', limited, op('delete', '/sensors/{id}'), 2, 'hidden-sensor'],
    ['what is no sensor', limited, op('get', '/sensors/{id}', 'read'), undefined, 'hidden-sensor'],
    ['the list of sensors', limited, keeping(op('get', '/sensors', 'read')), undefined, 'allowed'],
    ['a new sensor', limited, op('post', '/sensors'), undefined, 'outside-of-its-sensors'],
    ['the data of several sensors', limited, keeping(op('post', '/sensors/data', 'data:write')), undefined, 'allowed'],
    ['finding sensors', limited, keeping(op('post', '/sensors/find', 'read')), undefined, 'allowed'],
    ['all shares', limited, op('delete', '/sensors/users'), undefined, 'outside-of-its-sensors'],
    ['a trigger', limited, op('get', '/triggers/{id}', 'read'), 1, 'outside-of-its-sensors'],
    ['a trigger without the scope', { ...limited, scopes: [] }, op('get', '/triggers/{id}', 'read'), 1, 'lacks-scope'],
    [
      'anything, without sensors left',
      key({ sensors: new Set() }),
      op('get', '/sensors/{id}', 'read'),
      1,
      'hidden-sensor',
    ],
  ] satisfies [string, Powers, Operation, number | undefined, Verdict][]) {
    it(`is, for a key with a sensor, ${what}: ${verdict}`, () => assert.equal(judge(powers, one, id), verdict));
  }
});

describe('a scope', () => {
  it('is held by itself, and what write includes by write', () => {
    const held = SCOPES.flatMap((scope) => SCOPES.filter((one) => hold([one], scope)).map((one) => `${one}>${scope}`));
    assert.deepEqual(held.sort(), [
      'data:write>data:write',
      'read>read',
      'rules:propose>rules:propose',
      'sensors:create>sensors:create',
      'write>data:write',
      'write>rules:propose',
      'write>sensors:create',
      'write>write',
    ]);
  });
});
