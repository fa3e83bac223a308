import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATION_TRAITS } from '../../../src/api/operation-traits';
import { decodeParams, Operations } from '../../../src/api/operations';

describe('operations', () => {
  const operations = new Operations();
  const found = (method: string, path: string) => {
    const matched = operations.find(method, path);
    return matched && [`${matched.operation.method} ${matched.operation.documentPath}`, matched.params];
  };

  it('are all found by their own paths, with their variables', () => {
    for (const { method, path, documentPath } of operations.all) {
      const actual = path.replaceAll(/:(\w+)/g, '7');
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      assert.deepEqual(found(method.toUpperCase(), actual), [
        `${method} ${documentPath}`,
        Object.fromEntries(names.map((name) => [name, '7'])),
      ]);
    }
  });

  it('with fixed segments come before variables, and after them if they lack the method', () => {
    assert.deepEqual(found('GET', '/sensors/data'), ['get /sensors/data', {}]);
    assert.deepEqual(found('GET', '/sensors/7'), ['get /sensors/{id}', { id: '7' }]);
    assert.deepEqual(found('DELETE', '/sensors/data'), ['delete /sensors/{id}', { id: 'data' }]);
    assert.deepEqual(found('GET', '/sensors/metatags/x'), undefined);
    assert.deepEqual(found('GET', '/SENSORS/7/Data'), ['get /sensors/{id}/data', { id: '7' }]);
    assert.deepEqual(found('HEAD', '/sensors/7'), ['get /sensors/{id}', { id: '7' }]);
  });

  it('have no empty variables, and no longer or shorter paths', () => {
    for (const path of [
      '/sensors//data',
      '/sensors/7/data/8/9',
      '/',
      '',
      '/sensorsx',
      '/__proto__',
      '/sensors/7/__proto__',
    ])
      assert.equal(found('GET', path), undefined, path);
    assert.equal(found('PATCH', '/sensors/7'), undefined);
  });

  it('describe a path with all methods that it takes', () => {
    const { operation, params, methods } = operations.describePath('/sensors/7') ?? {};
    assert.deepEqual(
      [operation?.documentPath, params, methods],
      ['/sensors/{id}', { id: '7' }, ['GET', 'PUT', 'DELETE']],
    );
    assert.equal(operations.describePath('/nowhere'), undefined);
  });

  it('decode their variables once, and refuse invalid escapes', () => {
    const { params } = operations.find('GET', '/sensors/a%2520b') ?? { params: {} };
    assert.deepEqual(decodeParams(params), { id: 'a%20b' });
    assert.throws(() => decodeParams({ id: '%zz' }), URIError);
  });

  it('are admitted by what they do', () => {
    const kinds = Object.fromEntries(operations.all.map((one) => [`${one.method} ${one.documentPath}`, one.kind]));
    assert.deepEqual(
      Object.keys(kinds)
        .filter((name) => kinds[name] === 'upload')
        .sort(),
      ['get /sensors/{id}/data/add', 'post /sensors/data', 'post /sensors/{id}/data'],
    );
    assert.equal(kinds['delete /sensors/{id}/data'], 'long-change');
    assert.equal(kinds['post /sensors/find'], 'read');
    assert.equal(kinds['put /triggers/{id}'], 'change');
  });

  it('have traits under their own names, and are known nowhere else', () => {
    const names = new Set(operations.all.map(({ action }) => action));
    for (const name of Object.keys(OPERATION_TRAITS)) assert.ok(names.has(name), `${name} is no operation`);
    const paths = operations.all.map(({ method, documentPath }) => `${method} ${documentPath}`);
    const knowing = [...sourceFiles('src')].filter((file) => {
      const text = readFileSync(file, 'utf8');
      return paths.some((path) => text.includes(`'${path}'`));
    });
    assert.deepEqual(knowing, []);
  });

  it('read a body by the operations of its path, whatever the method is', () => {
    assert.deepEqual(operations.bodyTraits({}, '/sensors/7/metatags'), { hasFreeKeys: true });
    assert.deepEqual(operations.bodyTraits({}, '/notifications/7'), { hasFreeKeys: true, hasDigits: true });
    assert.deepEqual(operations.bodyTraits({}, '/in/ttn/up'), { hasFreeKeys: true, hasDigits: true });
    assert.deepEqual(operations.bodyTraits({}, '/api/v2/write'), { isInBytes: true });
    assert.deepEqual(operations.bodyTraits({}, '/triggers/7'), {});
  });

  it('are heavy if they read data, compute, search, or change many things', () => {
    const heavy = operations.all.filter(({ isHeavy }) => isHeavy).map(({ action }) => action);
    assert.deepEqual(heavy.sort(), [
      ...['applyRules', 'backtestRule', 'backtestTrigger', 'changeFirings', 'changeSensors', 'deleteDataRange'],
      ...['exportRules', 'findGroupSensors', 'findSensors', 'getRuleSet', 'getShadow', 'planRules', 'readData'],
      'readPublicTile',
      ...['readSensorsData', 'readTile', 'reportAlerts', 'reportSensors', 'suggestChanges', 'testRules'],
    ]);
  });
});

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(path);
    else if (/(?<!\.controller)\.ts$/.test(path) && !path.startsWith('src/generated')) yield path;
  }
}
