import { z } from 'zod';
import { readCertificates } from './certificate-file';
import { MAP_TILES_RULE, mapTilesOf, parseMapTiles } from './map-tiles';
import { checkOidc, OIDC_SETTINGS, oidcConfig } from './oidc-settings';
import { parseUrl } from './parse-url';
import { parseRedisUrl } from './redis-url';
import { effectiveRetention } from './retention';
import { readGiven } from './secret-files';

const number = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
const connection = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (text) => schemes.includes(parseUrl(text)?.protocol ?? ''),
      `must be a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    );

/** Only called at startup. */
function readAuthorities(file: string, context: z.RefinementCtx): readonly string[] {
  const read = readCertificates(file);
  if ('certificates' in read) return read.certificates;
  context.addIssue(read.problem);
  return z.NEVER;
}

const settings = z.object({
  HOST: z.string().min(1).optional(),
  PORT: number(8080, 1, 65_535),
  PUBLIC_URL: connection('http:', 'https:')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  MYSQL_URL: connection('mysql:'),
  REDIS_URL: z
    .string()
    .refine(
      (text) => parseRedisUrl(text) !== undefined,
      'must be a URL that begins with redis:// or rediss://, with several hosts, separated by commas, for a Redis Cluster',
    ),
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w-]{1,40}$/, 'must be 1 to 40 letters, digits, _ or -')
    .default('sensors'),
  DATA_DIR: z.string().min(1).default('.data'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must be at least 16 characters of ASCII without spaces')
    .optional(),
  SECRETS_KEY: z
    .string()
    .regex(/^(?:[0-9a-fA-F]{64}|[\w+/-]{43}=?)$/, 'must be 32 bytes, as 64 hexadecimal digits or in base64')
    .optional(),
  SMTP_URL: connection('smtp:', 'smtps:').optional(),
  MAIL_CONFIRMATION: z.enum(['required', 'off']).default('required'),
  MAIL_PER_USER_HOUR: number(200, 0, 1_000_000),
  MAIL_PER_ADDRESS_HOUR: number(60, 0, 1_000_000),
  MAIL_FROM: z.string().min(3).default('Sensor data platform <no-reply@localhost>'),
  DELIVERY_ALLOW_NETWORKS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .pipe(z.array(z.string().regex(/^[0-9a-fA-F:.]+\/\d{1,3}$/, 'must be networks in CIDR form, separated by commas'))),
  DELIVERY_CA_FILE: z.string().min(1).transform(readAuthorities).optional(),
  DIGEST_AFTER: number(30, 0, 1_000_000),
  DELIVERY_CONCURRENCY: number(50, 1, 1000),
  DELIVERY_RECEIVER_CONCURRENCY: number(20, 1, 1000),
  BOARD_USER: z.string().min(1).default('operator'),
  BOARD_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
  BOARD_VIEWER: z.string().min(1).default('viewer'),
  BOARD_VIEWER_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  SHUTDOWN_DELAY_MS: number(3_000, 0, 20_000),
  SENSOR_PARTITIONS: number(2, 1, 4096),
  RATE_LIMIT_REFUSED_LOGINS: number(10, 0, 1_000_000),
  RATE_LIMIT_REQUESTS: number(0, 0, 1_000_000),
  RATE_LIMIT_POINTS: number(0, 0, 10_000_000),
  RATE_LIMIT_TESTS: number(200, 0, 1_000_000),
  RATE_LIMIT_REGISTRATIONS: number(20, 0, 1_000_000),
  REQUIRE_SECOND_FACTOR: z.enum(['off', 'operators', 'all']).default('off'),
  OPERATOR_ACCOUNTS: z
    .string()
    .regex(/^\d{1,15}(?:\s*,\s*\d{1,15})*$/, 'must be ids of accounts, separated by commas')
    .optional(),
  SESSION_IDLE_DAYS: number(90, 0, 36_500),
  REGISTRATION: z.enum(['open', 'closed', 'invite']).default('open'),
  REGISTRATION_CODE: z.string().min(16, 'must have at least 16 characters').optional(),
  ...OIDC_SETTINGS,
  TRUST_PROXY: number(0, 0, 10),
  DATA_RETENTION_DAYS: number(0, 0, 36_500),
  CHUNK_AFTER_HOURS: z.coerce
    .number()
    .min(0)
    .max(87_600)
    .refine((hours) => hours === 0 || hours >= 1 / 60, 'must be 0, or at least a minute: 0.017')
    .default(24),
  HISTORY_RETENTION_DAYS: number(90, 0, 36_500),
  DELIVERY_RETENTION_DAYS: number(0, 0, 36_500),
  AUDIT_RETENTION_DAYS: number(400, 0, 36_500),
  IMPORT_MAX_MB: number(2_000, 1, 1_000_000),
  DECISIONS_KEPT_OF: number(20_000, 0, 10_000_000),
  DECISION_RETENTION_DAYS: number(7, 1, 365),
  MAP_TILES_URL: z
    .string()
    .refine((text) => parseMapTiles(text) !== undefined, MAP_TILES_RULE)
    .optional(),
  MAP_TILES_ATTRIBUTION: z.string().max(200, 'must have at most 200 characters').optional(),
  CHECK_MEMORY: z.enum(['on', 'off']).default('off'),
  ALIVE_FILE: z.string().min(1).optional(),
});

export const settingNames: readonly string[] = Object.keys(settings.shape);

const checkedSettings = settings
  .refine(({ REGISTRATION, REGISTRATION_CODE }) => REGISTRATION !== 'invite' || REGISTRATION_CODE !== undefined, {
    path: ['REGISTRATION_CODE'],
    message: 'is required with REGISTRATION=invite',
  })
  .refine((values) => values.REQUIRE_SECOND_FACTOR !== 'operators' || values.OPERATOR_ACCOUNTS !== undefined, {
    path: ['OPERATOR_ACCOUNTS'],
    message: 'is required with REQUIRE_SECOND_FACTOR=operators: the ids of their accounts',
  })
  .refine(({ BOARD_USER, BOARD_VIEWER }) => BOARD_USER !== BOARD_VIEWER, {
    path: ['BOARD_VIEWER'],
    message: 'must differ from BOARD_USER',
  })
  .refine((values) => values.MAP_TILES_URL === undefined || values.MAP_TILES_ATTRIBUTION !== undefined, {
    path: ['MAP_TILES_ATTRIBUTION'],
    message: 'is required with MAP_TILES_URL: who made the map',
  })
  .superRefine(checkOidc);

/** Everything the environment decides, checked and frozen. */
export type Config = Readonly<ReturnType<typeof shape>>;

/** The settings; or a line for each mistake, with the valid addresses of servers. */
export type ReadSettings =
  | { config: Config }
  | { mistakes: string[]; servers: { mysqlUrl?: string; redisUrl?: string } };

/** An empty variable counts as not set; secrets may stand in files. */
export function readSettings(environment: Record<string, string | undefined>): ReadSettings {
  const { given, mistakes } = readGiven(environment);
  const result = checkedSettings.safeParse(given);
  if (result.success && mistakes.length === 0) return { config: Object.freeze(shape(result.data)) };
  const isUnread = (name: unknown) => mistakes.some((mistake) => mistake.startsWith(`${String(name)}_FILE: `));
  const issues = (result.error?.issues ?? []).filter(({ path }) => !isUnread(path[0]));
  const right = (name: string) => (issues.some(({ path }) => path[0] === name) ? undefined : given[name]);
  const wrong = issues.map((issue) => `${String(issue.path[0])}: ${missing(issue) ? 'is required' : issue.message}`);
  return {
    mistakes: [...mistakes, ...wrong],
    servers: { mysqlUrl: right('MYSQL_URL'), redisUrl: right('REDIS_URL') },
  };
}

/** Throws a single error that lists every mistake. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const settings = readSettings(environment);
  if ('config' in settings) return settings.config;
  throw new Error(`these settings are wrong:\n${settings.mistakes.map((mistake) => `  ${mistake}`).join('\n')}`);
}

function missing(issue: { code: string; message: string; input?: unknown }): boolean {
  return issue.code === 'invalid_type' && issue.message.includes('undefined');
}

function boardLogins(values: z.output<typeof settings>) {
  const logins = [
    { role: 'act', user: values.BOARD_USER, password: values.BOARD_PASSWORD },
    { role: 'look', user: values.BOARD_VIEWER, password: values.BOARD_VIEWER_PASSWORD },
  ] as const;
  return logins.flatMap(({ password, ...login }) => (password === undefined ? [] : [{ ...login, password }]));
}

function accounts(values: z.output<typeof settings>) {
  const required = values.REQUIRE_SECOND_FACTOR;
  const operatorAccounts =
    required === 'off' ? [] : (values.OPERATOR_ACCOUNTS ?? '').split(',').filter(Boolean).map(Number);
  return {
    /** Whose sessions may only set up a second factor until they have one. */
    needFactors: required === 'all' ? ('all' as const) : operatorAccounts,
    /** One of these signs in next to the login of the operators' pages; empty if that alone is enough. */
    operatorAccounts,
    sessionIdleDays: values.SESSION_IDLE_DAYS,
    registration: values.REGISTRATION,
    registrationCode: values.REGISTRATION_CODE,
  };
}

function rateLimits(values: z.output<typeof settings>) {
  return {
    refusedLoginLimit: values.RATE_LIMIT_REFUSED_LOGINS,
    requestLimit: values.RATE_LIMIT_REQUESTS,
    pointLimit: values.RATE_LIMIT_POINTS,
    testLimit: values.RATE_LIMIT_TESTS,
    registrationLimit: values.RATE_LIMIT_REGISTRATIONS,
  };
}

function shape(values: z.output<typeof settings>) {
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    mysqlUrl: values.MYSQL_URL,
    redisUrl: values.REDIS_URL,
    redisPrefix: values.REDIS_PREFIX,
    dataDir: values.DATA_DIR,
    metricsToken: values.METRICS_TOKEN,
    secretsKey: values.SECRETS_KEY,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    // If mails stay on this machine, they can neither bother anyone nor be confirmed.
    mailConfirmation: values.SMTP_URL === undefined ? ('off' as const) : values.MAIL_CONFIRMATION,
    mailRates: { perUserHour: values.MAIL_PER_USER_HOUR, perAddressHour: values.MAIL_PER_ADDRESS_HOUR },
    deliveryAllowNetworks: values.DELIVERY_ALLOW_NETWORKS,
    deliveryAuthorities: values.DELIVERY_CA_FILE ?? [],
    digestAfter: values.DIGEST_AFTER,
    deliveryConcurrency: values.DELIVERY_CONCURRENCY,
    deliveryReceiverConcurrency: values.DELIVERY_RECEIVER_CONCURRENCY,
    boardLogins: boardLogins(values),
    logLevel: values.LOG_LEVEL,
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS,
    partitions: values.SENSOR_PARTITIONS,
    ...rateLimits(values),
    ...accounts(values),
    oidc: oidcConfig(values),
    trustProxy: values.TRUST_PROXY,
    dataRetentionDays: values.DATA_RETENTION_DAYS,
    chunkAfterMs: Math.round(values.CHUNK_AFTER_HOURS * 3_600_000),
    historyRetentionDays: values.HISTORY_RETENTION_DAYS,
    /** No longer than the firings of the deliveries. */
    deliveryRetentionDays:
      effectiveRetention(values.DELIVERY_RETENTION_DAYS || null, values.HISTORY_RETENTION_DAYS || null) ?? 0,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    importMaxBytes: values.IMPORT_MAX_MB * 1024 ** 2,
    decisionsKept: { ofTriggers: values.DECISIONS_KEPT_OF, days: values.DECISION_RETENTION_DAYS },
    mapTiles: mapTilesOf(values.MAP_TILES_URL, values.MAP_TILES_ATTRIBUTION),
    checksCache: values.CHECK_MEMORY === 'on',
    aliveFile: values.ALIVE_FILE,
  };
}
