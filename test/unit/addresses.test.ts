import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const addressesFile = JSON.stringify(pathToFileURL(join(__dirname, '../../scripts/support/addresses.mjs')).href);

function linesFor(options: object): string[] {
  const print = `import { addressLines } from ${addressesFile};
    console.log(JSON.stringify(addressLines('http://localhost:8081', ${JSON.stringify(options)})));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', print], { encoding: 'utf8' }));
}

describe('what npm start prints', () => {
  it('names the board, the metrics and, last, the API', () => {
    assert.deepEqual(linesFor({ madeBoardPassword: 'secret', boardUser: 'operator' }), [
      'board  http://localhost:8081/admin/queues  operator / secret',
      'metrics  http://localhost:8081/metrics',
      'ready  http://localhost:8081',
    ]);
  });

  it('shows neither a password nor a token that the operator chose', () => {
    assert.deepEqual(linesFor({ boardUser: 'operator', metricsToken: 'chosen' }), [
      'metrics  http://localhost:8081/metrics  with METRICS_TOKEN',
      'ready  http://localhost:8081',
    ]);
  });
});
