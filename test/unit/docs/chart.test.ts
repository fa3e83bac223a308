import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../../src/platform/config';

const ROOT = join(__dirname, '../../..');
const CHART = join(ROOT, 'deploy/chart');
const NEEDED = { existingSecret: 'sensors' };
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const METRIC = {
  type: 'External',
  external: { metric: { name: 'platform_backlog_oldest_seconds' }, target: { type: 'Value', value: '10' } },
};
/** Everything that is off by default. */
const EVERYTHING = {
  ...NEEDED,
  image: { digest: DIGEST },
  imagePullSecrets: [{ name: 'registry' }],
  settings: {
    PUBLIC_URL: 'https://sensors.example.org',
    MAIL_PER_USER_HOUR: '1000000',
    DELIVERY_CA_FILE: '/ca/ca.pem',
  },
  api: {
    autoscaling: { enabled: true },
    podAnnotations: { 'prometheus.io/scrape': 'true' },
    nodeSelector: { 'kubernetes.io/arch': 'arm64' },
    tolerations: [{ key: 'own', operator: 'Exists' }],
  },
  worker: { autoscaling: { enabled: true, maxReplicas: 8, metrics: [METRIC] } },
  serviceAccount: { annotations: { team: 'sensors' } },
  service: { annotations: { team: 'sensors' } },
  ingress: {
    ...{ enabled: true, className: 'nginx', host: 'sensors.example.org', tlsSecret: 'tls' },
    annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '10m' },
  },
  networkPolicy: { enabled: true, from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] },
  extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
  extraVolumeMounts: [{ name: 'ca', mountPath: '/ca', readOnly: true }],
};
/** Everything that is on by default, off. */
const LITTLE = {
  ...NEEDED,
  migrations: { enabled: false },
  serviceAccount: { create: false, name: 'own' },
  podDisruptionBudget: { enabled: false },
};

interface Container {
  image: string;
  command?: string[];
  env: { name: string; value: string }[];
  envFrom: unknown;
  securityContext: unknown;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  volumeMounts: { mountPath: string }[];
}

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string>; labels: Record<string, string> };
  // Each kind has another one.
  // biome-ignore lint/suspicious/noExplicitAny: the schemas check it
  spec?: any;
}

describe('the chart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sensors-chart-'));
  after(() => rmSync(folder, { recursive: true }));
  let helm = '';

  before(function () {
    // Plain JavaScript, which has no types of its own.
    const { findHelm } = require('../../../scripts/support/helm.mjs') as { findHelm(): string | undefined };
    helm = findHelm() ?? '';
    if (helm === '') this.skip();
  });

  /** What Helm makes of these values; its message if it refuses them. */
  const template = (values: unknown): { manifests: Manifest[]; refusal: string } => {
    const file = join(folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    const given = ['template', 'sensors', CHART, '--namespace', 'sensors', '--values', file];
    const { status, stdout, stderr } = spawnSync(helm, given, { encoding: 'utf8', timeout: 60_000 });
    if (status !== 0) return { manifests: [], refusal: stderr };
    const manifests = parseAllDocuments(stdout).map((document) => document.toJS());
    return { manifests: manifests.filter(Boolean), refusal: '' };
  };
  const known = new Map<unknown, Manifest[]>();
  const rendered = (values: unknown) => {
    const before = known.get(values);
    if (before) return before;
    const { manifests, refusal } = template(values);
    assert.equal(refusal, '');
    known.set(values, manifests);
    return manifests;
  };
  const kindsOf = (manifests: Manifest[]) => manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
  const podsOf = (manifests: Manifest[]) =>
    manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)).map(({ spec }) => spec.template.spec);
  const containersOf = (manifests: Manifest[]): Container[] => podsOf(manifests).flatMap((pod) => pod.containers);

  it('passes the lint of Helm', () => {
    const given = ['lint', CHART, '--strict', '--set', 'existingSecret=sensors'];
    execFileSync(helm, given, { stdio: 'pipe', timeout: 60_000 });
  });

  it('makes what Kubernetes accepts, by its schemas, and without fields that it does not know', async () => {
    const manifests = [NEEDED, EVERYTHING, LITTLE].flatMap(rendered);
    for (const manifest of manifests) {
      new (modelsOf(manifest.apiVersion)[manifest.kind] ?? assert.fail(manifest.kind))(manifest).validate();
    }
    const [deployment = assert.fail()] = manifests.filter(({ kind }) => kind === 'Deployment');
    const misspelled = { ...deployment, spec: { ...deployment.spec, replicsa: 2 } };
    const [error = '', ...more] = typeErrorsOf([...manifests, misspelled], folder)
      .trim()
      .split('\n');
    assert.match(error, /replicsa.* does not exist/);
    assert.deepEqual(more, [], 'the planted mistake is the only one');
    const { Deployment = assert.fail() } = modelsOf('apps/v1');
    assert.throws(() => new Deployment({ ...deployment, spec: { replicas: 'two' } }).validate());
  });

  it('has everything that runs by default, and leaves out what is off', () => {
    const name = 'sensors-sensor-data-platform';
    assert.deepEqual(kindsOf(rendered(NEEDED)), [
      `Deployment ${name}-api`,
      `Deployment ${name}-worker`,
      `Job ${name}-migrate`,
      `PodDisruptionBudget ${name}-api`,
      `PodDisruptionBudget ${name}-worker`,
      `Service ${name}`,
      `ServiceAccount ${name}`,
    ]);
    assert.deepEqual(kindsOf(rendered(LITTLE)), [
      `Deployment ${name}-api`,
      `Deployment ${name}-worker`,
      `Service ${name}`,
    ]);
    const more = kindsOf(rendered(EVERYTHING)).filter((each) => /^(Horizontal|Ingress|Network)/.test(each));
    assert.deepEqual(more, [
      `HorizontalPodAutoscaler ${name}-api`,
      `HorizontalPodAutoscaler ${name}-worker`,
      `Ingress ${name}`,
      `NetworkPolicy ${name}-api`,
      `NetworkPolicy ${name}-worker`,
    ]);
  });

  it('gives no container more rights than it needs', () => {
    for (const values of [NEEDED, EVERYTHING, LITTLE]) {
      for (const pod of podsOf(rendered(values))) {
        assert.deepEqual([pod.automountServiceAccountToken, pod.enableServiceLinks], [false, false]);
        const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext;
        assert.deepEqual([runAsNonRoot, runAsUser, seccompProfile.type], [true, 1000, 'RuntimeDefault']);
      }
      for (const { securityContext, resources } of containersOf(rendered(values))) {
        assert.deepEqual(securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        assert.ok(resources.requests.cpu && resources.requests.memory && resources.limits.memory);
      }
    }
    const accounts = rendered(NEEDED).filter(({ kind }) => kind === 'ServiceAccount');
    assert.deepEqual(
      accounts.map((each) => 'automountServiceAccountToken' in each && each.automountServiceAccountToken),
      [false],
    );
  });

  it('takes secrets from the Secret alone, and settings that the processes understand', () => {
    for (const [values, partitions] of [
      [NEEDED, 2],
      [EVERYTHING, 8],
    ] as const) {
      for (const { env, envFrom } of containersOf(rendered(values))) {
        assert.deepEqual(envFrom, [{ secretRef: { name: 'sensors' } }]);
        const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
        const { DELIVERY_CA_FILE, ...settings } = given;
        const config = readConfig({ MYSQL_URL: 'mysql://db/sensors', REDIS_URL: 'redis://cache', ...settings });
        assert.deepEqual([config.partitions, config.port, config.trustProxy], [partitions, 8080, 1]);
        assert.deepEqual([config.dataDir, config.aliveFile], ['/tmp/data', '/tmp/alive']);
      }
    }
    for (const { env } of containersOf(rendered(EVERYTHING))) {
      assert.ok(env.some(({ name, value }) => name === 'MAIL_PER_USER_HOUR' && value === '1000000'));
    }
  });

  it('migrates before anything else, in a job that needs nothing of the release', () => {
    const [job] = rendered(NEEDED).filter(({ kind }) => kind === 'Job');
    assert.equal(job?.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade');
    const pod = job?.spec.template.spec;
    assert.deepEqual([pod.serviceAccountName, pod.restartPolicy], [undefined, 'Never']);
    assert.deepEqual(pod.containers[0].command, ['node', 'dist/src/admin/index.js', 'migrate']);
  });

  it('asks processes for their health where they answer, and selects its own pods', () => {
    const manifests = rendered(EVERYTHING);
    const [api, worker] = manifests.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec);
    const [one] = api.template.spec.containers;
    assert.deepEqual([one.livenessProbe.httpGet.path, one.readinessProbe.httpGet.path], ['/healthz', '/readyz']);
    const [other] = worker.template.spec.containers;
    assert.deepEqual(other.readinessProbe.exec.command, ['node', 'scripts/healthy.mjs', 'worker']);
    assert.deepEqual([api.replicas, worker.replicas], [undefined, undefined], 'the autoscaler decides');
    const selectors = manifests.flatMap(
      ({ kind, spec }) =>
        ({
          Service: spec?.selector,
          PodDisruptionBudget: spec?.selector?.matchLabels,
          NetworkPolicy: spec?.podSelector?.matchLabels,
        })[kind] ?? [],
    );
    const labels = [api, worker].map((each) => each.template.metadata.labels);
    assert.equal(selectors.length, 5);
    for (const selector of selectors) {
      const found = labels.filter((each) => Object.entries(selector).every(([name, value]) => each[name] === value));
      assert.equal(found.length, 1, JSON.stringify(selector));
    }
    for (const { spec } of manifests.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')) {
      assert.ok(kindsOf(manifests).includes(`Deployment ${spec.scaleTargetRef.name}`));
    }
  });

  it('names the image by digest if it has one, else by the version of the chart', () => {
    const imagesOf = (values: unknown) => [...new Set(containersOf(rendered(values)).map(({ image }) => image))];
    assert.match(imagesOf(NEEDED).join(), /^ghcr\.io\/OWNER\/sensor-data-platform:\d+\.\d+\.\d+$/);
    assert.deepEqual(imagesOf(EVERYTHING), [`ghcr.io/OWNER/sensor-data-platform@${DIGEST}`]);
  });

  it('refuses values that it does not know, secrets among the settings, and a missing Secret', () => {
    for (const [values, reason] of [
      [{}, /existingSecret/],
      [{ ...NEEDED, replicas: 3 }, /replicas/],
      [{ ...NEEDED, worker: { replica: 3 } }, /replica/],
      [{ ...NEEDED, settings: { MYSQL_URL: 'mysql://u:p@db/x' } }, /MYSQL_URL/],
      [{ ...NEEDED, settings: { DIGEST_AFTER: 30 } }, /DIGEST_AFTER/],
      [{ ...NEEDED, image: { digest: 'latest' } }, /digest/],
      [{ ...NEEDED, ingress: { enabled: true } }, /ingress\.host/],
    ] as const) {
      assert.match(template(values).refusal, reason, JSON.stringify(values));
    }
  });
});

type Models = Record<string, new (manifest: unknown) => { validate(): void }>;

/** By its path, for the package names no files for `require`. */
function modelsOf(apiVersion: string): Models {
  return require(join(ROOT, 'node_modules/kubernetes-models', apiVersion, 'index.js')) as Models;
}

/** What the compiler says of these manifests as values of their types: it knows every field, which the schemas do not forbid. */
function typeErrorsOf(manifests: readonly Manifest[], folder: string): string {
  const lines = manifests.map(
    (manifest, at) =>
      `import type { I${manifest.kind} as T${at} } from 'kubernetes-models/${manifest.apiVersion}';\n` +
      `export const manifest${at}: T${at} = ${JSON.stringify(manifest)};\n`,
  );
  const file = join(folder, 'manifests.ts');
  writeFileSync(file, lines.join(''));
  rmSync(join(folder, 'node_modules'), { force: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--types', '', '--lib', 'es2022'];
  const modules = ['--module', 'preserve', '--moduleResolution', 'bundler'];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const given = [compiler, ...options, ...modules, file];
  return spawnSync(process.execPath, given, { cwd: folder, encoding: 'utf8', timeout: 120_000 }).stdout;
}
