import { Bystander } from './bystander';
import { type Cuttable, startCuttable } from './cuttable';
import { type Platform, type PlatformOptions, startPlatform, type TestUser } from './platform';
import { type PrivateServers, startPrivateServers } from './private-servers';
import { type Receiver, startReceiver } from './receiver';
import { type ProcessCounts, type StandingPlatform, startStandingPlatform } from './standing-platform';

/** A platform for the tests of this `describe`: started before the first of them, closed after the last. */
export function usePlatform(options: PlatformOptions | (() => PlatformOptions) = {}): Platform {
  return useForAll(
    () => startPlatform(typeof options === 'function' ? options() : options),
    (platform) => platform.close(),
  );
}

/** The same with real processes, for attacks. */
export function useStandingPlatform(
  config: Record<string, string> | (() => Record<string, string>) = {},
  counts?: ProcessCounts,
): StandingPlatform {
  return useForAll(
    () => startStandingPlatform(typeof config === 'function' ? config() : config, counts),
    (platform) => platform.close(),
  );
}

/** A user who uses the platform during an attack. */
export function useBystander(platform: StandingPlatform): Bystander {
  return useForAll(
    () => Bystander.on(platform),
    (bystander) => bystander.close(),
  );
}

/** A user who is registered once for the tests of this `describe`; `headers` go with each of their requests. */
export function useUser(
  platform: Pick<Platform, 'user'>,
  fields?: Record<string, unknown>,
  headers?: Readonly<Record<string, string>>,
): TestUser {
  return useForAll(() => platform.user(fields, headers));
}

/** A user who is registered before each test of this `describe`, so that no test sees the data of another. */
export function useUserPerTest(platform: Pick<Platform, 'user'>, fields?: Record<string, unknown>): TestUser {
  let user: TestUser | undefined;
  beforeEach(async () => {
    user = await platform.user(fields);
  });
  return standIn(() => user);
}

/** A receiver of webhooks for the tests of this `describe`; it is reset before each of them. */
export function useReceiver(): Receiver {
  const receiver = useForAll(
    () => startReceiver(),
    (started) => started.close(),
  );
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.responses.length = 0;
  });
  return receiver;
}

/** A connection to MySQL or Redis, by its environment variable, that the tests of this `describe` can cut. */
export function useCuttable(variable: 'MYSQL_URL' | 'REDIS_URL'): Cuttable {
  return useForAll(
    () => startCuttable(process.env[variable] ?? ''),
    (cuttable) => cuttable.close(),
  );
}

/** A MySQL and a Redis for the tests of this `describe` alone, whose settings they may change. */
export function usePrivateServers(): PrivateServers {
  return useForAll(
    () => startPrivateServers(),
    (servers) => servers.close(),
  );
}

type Stop = () => Promise<void>;
const stopsOf = new WeakMap<Mocha.Suite, Stop[]>();

/** What is started once for the tests of this `describe`, and stopped after them. */
export function useForAll<T extends object>(start: () => Promise<T>, stop?: (started: T) => Promise<void>): T {
  let started: T | undefined;
  before(async function () {
    const value = await start();
    started = value;
    if (stop && this.test?.parent) stopAtEnd(this.test.parent, () => stop(value));
  });
  return standIn(() => started);
}

/** Stops in the reverse order, after the `after` hooks that the describe itself has, as this one is registered later. */
function stopAtEnd(suite: Mocha.Suite, stop: Stop): void {
  const stops = stopsOf.get(suite);
  if (stops) {
    stops.unshift(stop);
    return;
  }
  const all = [stop];
  stopsOf.set(suite, all);
  suite.afterAll(async () => {
    for (const one of all) await one();
  });
}

/** An object that forwards to the current one, which a hook makes; reading it before that hook is an error. */
function standIn<T extends object>(current: () => T | undefined): T {
  const required = () => {
    const value = current();
    if (value === undefined) throw new Error('not started yet: use it in a hook or a test, not in a describe');
    return value;
  };
  const handler: ProxyHandler<T> = {
    get: (_, key) => Reflect.get(required(), key),
    set: (_, key, value) => Reflect.set(required(), key, value),
    has: (_, key) => Reflect.has(required(), key),
    ownKeys: () => Reflect.ownKeys(required()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(required(), key),
  };
  return new Proxy({} as T, handler); // the target is never read: every access goes to the current object
}
