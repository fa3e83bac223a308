import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const checker = join(__dirname, '../../scripts/lint-imports.mjs');

const clean = {
  'src/alerts/index.ts': "export { decide } from './rules/firing';\n",
  'src/alerts/controllers.ts': "import { X } from './triggers/triggers.controller';\n",
  'src/alerts/rules/firing.ts': "import { compile } from '../../language/expression';\n",
  'src/language/expression.ts': "import { Parser } from 'expr-eval';\n",
  'src/alerts/triggers/triggers.controller.ts': "import type { T } from './triggers.service';\n",
  'src/alerts/triggers/triggers.service.ts':
    "import { Op } from 'sequelize';\nimport {\n  decide,\n} from '../rules/firing';\nimport type { Connection } from 'mysql2/promise';\n",
  'src/points/index.ts': "export { write } from './intake/writer';\n",
  'src/points/intake/writer.ts': "import { Sensor } from '../../storage/models/sensor.model';\n",
  'src/sensors/sensors/sensor.view.ts': "import type { Sensor } from '../../storage/models/sensor.model';\n",
  'src/storage/models/sensor.model.ts': "import { type User } from './user.model';\n",
  'src/storage/models/user.model.ts': "import { Sensor } from './sensor.model';\n",
  'src/api/board.ts': "import { type Container } from '../container';\nimport { all } from '../alerts/controllers';\n",
  'src/container.ts': "import { decide } from './alerts';\n// import { x } from '../workers/index';\n",
  'workers/index.ts': "import { buildContainer } from '../src/container';\nimport { enqueue } from '../jobs/queues';\n",
  'workers/run-worker.ts': "import { Worker } from 'bullmq';\n",
  'jobs/queues.ts': "import { Queue } from 'bullmq';\n",
};

const planted: [string, string, string, RegExp][] = [
  [
    'a room of the same floor',
    'src/api/pages.ts',
    "import '../../workers/index';",
    /src\/api\/pages\.ts imports workers\/index: src\/api may import rooms of lower floors and itself/,
  ],
  [
    'a wing imported by one below it',
    'src/points/bad.ts',
    "import { decide } from '../alerts';",
    /src\/points\/bad\.ts imports src\/alerts\/index: src\/points may import rooms of lower floors/,
  ],
  [
    'a room that no floor has',
    'src/rules/bad.ts',
    "import { x } from '../platform/clock';",
    /src\/rules\/bad\.ts imports src\/platform\/clock: one of them is in no room/,
  ],
  [
    'a wing entered past its door',
    'src/sensors/bad.ts',
    "import { write } from '../points/intake/writer';",
    /src\/sensors\/bad\.ts imports src\/points\/intake\/writer: one enters src\/points by its index/,
  ],
  [
    'controllers in a worker',
    'workers/bad.ts',
    "import { all } from '../src/alerts/controllers';",
    /workers\/bad\.ts imports src\/alerts\/controllers: one enters src\/alerts by its index/,
  ],
  [
    'a wing in a worker',
    'workers/bad.ts',
    "import { decide } from '../src/alerts';",
    /workers\/bad\.ts imports src\/alerts\/index: workers may import/,
  ],
  [
    'a model imported by a controller over several lines',
    'src/sensors/sensors/bad.controller.ts',
    "import {\n  Sensor,\n} from '../../storage/models/sensor.model';",
    /bad\.controller\.ts imports src\/storage\/models\/sensor\.model/,
  ],
  [
    'a view that needs a model when it runs',
    'src/sensors/sensors/bad.view.ts',
    "import { Sensor } from '../../storage/models/sensor.model';",
    /\*\.view may import types from there and nothing else/,
  ],
  [
    'a type of requests in a service',
    'src/alerts/triggers/bad.service.ts',
    "import type { TriggerChanges } from './triggers.request';",
    /bad\.service\.ts imports src\/alerts\/triggers\/triggers\.request: a use case may not import it/,
  ],
  [
    'a channel used by deliveries without the table',
    'src/notifications/delivery/bad.ts',
    "import { UrlChannel } from './channels/url.channel';",
    /only src\/notifications\/delivery\/channels may import it/,
  ],
  [
    'a service imported by a model',
    'src/storage/models/bad.model.ts',
    "import { x } from '../mysql-errors';",
    /src\/storage\/models may import src\/edge, src\/language, itself/,
  ],
  [
    'the quarantine in a worker when it runs',
    'workers/bad.ts',
    "import { Quarantine } from '../src/fairness/quarantine/quarantine';",
    /workers may import types from there and nothing else/,
  ],
  [
    'a use case in a middleware',
    'src/api/middlewares/bad.ts',
    "import { decide } from '../../alerts';",
    /src\/api\/middlewares may import src\/edge, src\/language, /,
  ],
  [
    'rows in a channel',
    'src/notifications/delivery/channels/bad.ts',
    "import { User } from '../../../storage/models/user.model';",
    /src\/notifications\/delivery\/channels may import src\/edge, /,
  ],
  [
    'src imported by a job',
    'jobs/bad.job.ts',
    "export { x } from '../src/platform/clock';",
    /jobs\/bad\.job\.ts imports src\/platform\/clock/,
  ],
  ['a package in a job', 'jobs/bad.job.ts', "import { z } from 'zod';", /jobs may use bullmq and no other package/],
  [
    'express in a service',
    'src/sensors/bad.ts',
    "import express from 'express';",
    /only src\/api\/pages may use express/,
  ],
  ['sequelize in the API', 'src/api/bad.ts', "import { Op } from 'sequelize';", /may use sequelize/],
  ['bullmq in a worker', 'workers/bad.worker.ts', "import { Worker } from 'bullmq';", /workers\/bad.* may use bullmq/],
  [
    'expr-eval outside of its only file',
    'src/language/bad.ts',
    "import { Parser } from 'expr-eval';",
    /may use expr-eval/,
  ],
  ['mysql2 in a service', 'src/sensors/bad.ts', "import mysql from 'mysql2/promise';", /may use mysql2/],
  ['undici required in a service', 'src/sensors/bad.ts', "const u = require('undici');", /may use undici/],
  ['nodemailer loaded late', 'src/sensors/bad.ts', "const m = import('nodemailer');", /may use nodemailer/],
  [
    'generated code imported by a service',
    'src/sensors/bad.ts',
    "import { routes } from '../generated/routes';",
    /src\/sensors\/bad\.ts imports src\/generated\/routes: only src\/api\/http-server, src\/api\/operations, src\/api\/run-operation/,
  ],
  [
    'the container built by a probe',
    'src/api/probes.ts',
    "import { buildContainer } from '../container';",
    /src\/api\/probes\.ts imports src\/container: only src\/container, src\/api\/server, src\/admin\/index, /,
  ],
  [
    'a cycle',
    'src/alerts/rules/episode.ts',
    "import { decide } from './firing';\nexport { episode } from './episode';",
    /^import cycle: src\/alerts\/rules\/episode -> src\/alerts\/rules\/episode$/m,
  ],
];

describe('the import checker', () => {
  it('reports nothing in a tree that follows the rules', () => {
    assert.deepEqual(check(clean), { status: 0, messages: '' });
  });

  for (const [what, file, text, message] of planted) {
    it(`reports ${what}`, () => {
      const { status, messages } = check({ ...clean, [file]: `${text}\n` });
      assert.equal(status, 1);
      assert.match(messages, message);
      assert.equal(messages.trim().split('\n').length, 1, messages);
    });
  }

  it('reports nothing in this project', () => {
    const { status, stderr } = spawnSync(process.execPath, [checker], { encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.equal(status, 0);
  });
});

function check(files: Record<string, string>): { status: number | null; messages: string } {
  const root = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    const { status, stderr } = spawnSync(process.execPath, [checker, root], { encoding: 'utf8' });
    return { status, messages: stderr };
  } finally {
    rmSync(root, { recursive: true });
  }
}
