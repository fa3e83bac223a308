import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const checker = join(__dirname, '../../scripts/lint-imports.mjs');

const clean = {
  'src/rules/firing.ts': "import { parse } from './expression';\n",
  'src/rules/expression.ts': "import { Parser } from 'expr-eval';\n",
  'src/resources/triggers/triggers.service.ts':
    "import { Op } from 'sequelize';\nimport {\n  decide,\n} from '../../rules/firing';\nimport type { Connection } from 'mysql2/promise';\n",
  'src/resources/sensors/sensor.view.ts': "import type { Sensor } from '../models/sensor.model';\n",
  'src/storage/models/sensor.model.ts': "import { type User } from './user.model';\n",
  'src/storage/models/user.model.ts': "import { Sensor } from './sensor.model';\n",
  'src/api/board.ts': "import { type Container } from '../container';\n",
  'src/container.ts': "import { decide } from './rules/firing';\n// import { x } from '../workers/index';\n",
  'workers/index.ts': "import { buildContainer } from '../src/container';\nimport { enqueue } from '../jobs/queues';\n",
  'workers/run-worker.ts': "import { Worker } from 'bullmq';\n",
  'jobs/queues.ts': "import { Queue } from 'bullmq';\n",
};

const planted: [string, string, string, RegExp][] = [
  [
    'a worker imported from src',
    'src/api/pages.ts',
    "import '../../workers/index';",
    /src\/api\/pages\.ts imports workers\/index/,
  ],
  [
    'a service imported by the rules',
    'src/rules/bad.ts',
    "import { x } from '../resources/triggers/triggers.service';",
    /src\/rules\/bad\.ts imports src\/resources\/triggers\/triggers\.service: src\/rules may import itself/,
  ],
  [
    'a model imported by a controller over several lines',
    'src/resources/sensors/bad.controller.ts',
    "import {\n  Sensor,\n} from '../../storage/models/sensor.model';",
    /bad\.controller\.ts imports src\/storage\/models\/sensor\.model/,
  ],
  [
    'a view that needs a model when it runs',
    'src/resources/sensors/bad.view.ts',
    "import { Sensor } from '../../storage/models/sensor.model';",
    /\*\.view may import types from there and nothing else/,
  ],
  [
    'a type of requests in a service',
    'src/resources/triggers/bad.service.ts',
    "import type { TriggerChanges } from './triggers.request';",
    /bad\.service\.ts imports src\/resources\/triggers\/triggers\.request: src\/resources may not import/,
  ],
  [
    'a channel used by deliveries without the table',
    'src/delivery/bad.ts',
    "import { UrlChannel } from './channels/url.channel';",
    /only src\/delivery\/channels, src\/container, src\/admin\/private-instances may import it/,
  ],
  [
    'a station imported by what lies below it',
    'src/inbox/bad.ts',
    "import { run } from '../evaluation/pass';",
    /src\/inbox may import src\/storage, src\/rules, itself/,
  ],
  [
    'src imported by a job',
    'jobs/bad.job.ts',
    "export { x } from '../src/clock2';",
    /jobs\/bad\.job\.ts imports src\/clock2/,
  ],
  ['a package in a job', 'jobs/bad.job.ts', "import { z } from 'zod';", /jobs may use bullmq and no other package/],
  [
    'express in a service',
    'src/resources/bad.ts',
    "import express from 'express';",
    /only src\/api\/pages may use express/,
  ],
  ['sequelize in a controller', 'src/api/bad.ts', "import { Op } from 'sequelize';", /may use sequelize/],
  ['bullmq in a worker', 'workers/bad.worker.ts', "import { Worker } from 'bullmq';", /workers\/bad.* may use bullmq/],
  [
    'expr-eval outside of its only file',
    'src/rules/bad.ts',
    "import { Parser } from 'expr-eval';",
    /may use expr-eval/,
  ],
  ['mysql2 in a service', 'src/resources/bad.ts', "import mysql from 'mysql2/promise';", /may use mysql2/],
  ['undici required in a service', 'src/resources/bad.ts', "const u = require('undici');", /may use undici/],
  ['nodemailer loaded late', 'src/resources/bad.ts', "const m = import('nodemailer');", /may use nodemailer/],
  [
    'generated code imported by a service',
    'src/resources/bad.ts',
    "import { routes } from '../generated/routes';",
    /src\/resources\/bad\.ts imports src\/generated\/routes: only src\/api\/http-server, src\/api\/operations, src\/api\/run-operation/,
  ],
  [
    'the container built by a probe',
    'src/api/probes.ts',
    "import { buildContainer } from '../container';",
    /src\/api\/probes\.ts imports src\/container: only src\/server, src\/admin\/index, workers\/index/,
  ],
  [
    'a cycle',
    'src/rules/expression.ts',
    "import { decide } from './firing';",
    /^import cycle: src\/rules\/expression -> src\/rules\/firing -> src\/rules\/expression$/m,
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
