import { AddressNotAllowed } from '../outbound/address-guard';
import { describeFailure } from '../outbound/failure-reason';
import type { Logger } from '../platform/logger';
import { openDecoder } from '../protocols/mqtt';
import { openPassword } from '../rules/mqtt/broker-password';
import { readBroker } from '../rules/mqtt/broker-url';
import { isAway } from '../storage/mysql-errors';
import { backOff } from './back-off';
import { BrokerConnection, RECEIVE_MAXIMUM } from './broker-connection';
import { openBrokerStream } from './broker-stream';
import { MessageIntake } from './message-intake';
import { MessageReports } from './message-reports';
import type { MqttParts } from './mqtt-parts';
import { type LeasedSource, LeaseLost } from './source-leases';
import { StateReport } from './state-report';
import { StoredPackets } from './stored-packets';
import { Subscriptions } from './subscriptions';

const CONNECT_AGAIN = { firstMs: 1_000, longestMs: 300_000 };
/** After a connection of this length the next pause is the shortest again. */
const STABLE_MS = 30_000;
const NOT_ALLOWED =
  'this installation refuses to connect to the address of the broker, because it is not public: its operator can allow the network by the setting DELIVERY_ALLOW_NETWORKS';

/** Keeps one leased source connected, as its row was when the runner began, until it is stopped or the lease is lost. */
export class SourceRunner {
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly parts: MqttParts,
    readonly id: number,
    readonly revision: number,
  ) {}

  start(onEnd: () => void): void {
    this.running = this.run().finally(onEnd);
  }

  /** Ends the connection at once, without a further acknowledgement, and waits for a commit that is running. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private get isStopped(): boolean {
    return this.stopped.signal.aborted;
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.isStopped; ) {
      const started = performance.now();
      try {
        await this.connectOnce();
      } catch (error) {
        if (error instanceof LeaseLost) return;
        if (!isAway(error)) logFault(this.parts.logger, this.id, error);
      }
      failures = performance.now() - started > STABLE_MS ? 0 : failures;
      await pause(backOff(failures, CONNECT_AGAIN), this.stopped.signal);
      failures += 1;
    }
  }

  /** Connects, and returns when the connection has ended. */
  private async connectOnce(): Promise<void> {
    const source = await this.parts.leases.read(this.id);
    if (source.revision !== this.revision || this.isStopped) throw new LeaseLost();
    const report = new StateReport(this.parts.leases, source, this.parts.clock, () => this.stopped.abort());
    try {
      const reason = await this.follow(source, report);
      if (!this.isStopped) report.add({ state: 'failed', lastError: reason });
    } finally {
      if (!this.isStopped) await report.flush();
      report.stop();
    }
  }

  /** One connection from its beginning to its end. Returns why it ended. */
  private async follow(source: LeasedSource, report: StateReport): Promise<string> {
    const { guard, box, authorities } = this.parts;
    const address = readBroker(source.url);
    try {
      const addresses = await guard.check(address.host);
      const { sealedPassword, caCertificate } = source;
      const login = { ...source, password: sealedPassword === null ? null : openPassword(box, sealedPassword, source) };
      const trusted = caCertificate === null ? authorities : [...authorities, caCertificate];
      const route = { address, addresses, authorities: trusted };
      return await this.converse(source, report, (onLarge, events) => {
        const stream = openBrokerStream({ ...route, onLarge });
        return new BrokerConnection(stream, login, events);
      });
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      return reasonOf(error);
    }
  }

  private converse(source: LeasedSource, report: StateReport, open: Open): Promise<string> {
    const { leases, writer, quota, clock, logger, metrics } = this.parts;
    const decoder = openDecoder(source.decoder);
    if (source.described !== null) decoder.restore(source.described);
    const inFlight = source.protocolVersion === 5 ? RECEIVE_MAXIMUM : undefined;
    const packets = StoredPackets.fromText(source.unconfirmed, inFlight);
    let ended: (error: Error | undefined) => void = () => undefined;
    const end = new Promise<Error | undefined>((resolve) => {
      ended = resolve;
    });
    const lose = () => this.stopped.abort();
    const intake: MessageIntake = new MessageIntake({
      ...{ source, decoder, packets, leases, writer, quota, clock },
      reports: new MessageReports({ sourceId: source.id, report, metrics, logger, onLost: lose }),
      broker: {
        acknowledge: (packetIds) => connection.acknowledge(packetIds),
        ping: () => connection.ping(),
      },
      onNamed: () => subscriptions.onNamed(),
    });
    const connection = open(({ topic, packetId }) => intake.onLarge(topic, packetId), {
      onConnected: (isResumed) => {
        if (!isResumed) packets.forgetEarlier();
        report.add({ state: 'connected', lastError: '' });
        subscriptions.begin(isResumed).catch(fail);
      },
      onMessage: (message, next) => intake.receive(message, next),
      onConfirmed: (acknowledged) => intake.onConfirmed(acknowledged),
      onEnd: ended,
    });
    const fail = (error: unknown) => {
      if (error instanceof LeaseLost) lose();
      connection.close();
      ended(error instanceof Error ? error : undefined);
    };
    const subscriptions = new Subscriptions({
      ...{ source, decoder, connection, onError: fail },
      save: (filters) => leases.write(source, { subscribed: filters }),
      report: (problem) => report.add(problem),
    });
    return this.untilEnd(end, connection, intake, subscriptions);
  }

  private async untilEnd(
    end: Promise<Error | undefined>,
    connection: BrokerConnection,
    intake: MessageIntake,
    subscriptions: Subscriptions,
  ): Promise<string> {
    const close = () => connection.close();
    this.stopped.signal.addEventListener('abort', close, { once: true });
    if (this.isStopped) close();
    try {
      return reasonOf(await end);
    } finally {
      this.stopped.signal.removeEventListener('abort', close);
      subscriptions.close();
      // The next connection reads what this commit writes.
      await intake.close();
    }
  }
}

type Open = (
  onLarge: (message: { topic: string; packetId: number | undefined }) => void,
  events: ConstructorParameters<typeof BrokerConnection>[2],
) => BrokerConnection;

/** Why a connection failed or ended, without addresses and credentials. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressNotAllowed) return NOT_ALLOWED;
  if (!(error instanceof Error)) return 'the broker closed the connection';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code === undefined ? error.message : describeFailure(code);
}

function logFault(logger: Logger, sourceId: number, error: unknown): void {
  logger.warn({ mqttSourceId: sourceId, err: error }, 'an MQTT source failed by a fault of the platform');
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}
