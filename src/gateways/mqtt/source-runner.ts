import { MOST_DEATHS } from '../../fairness/quarantine/work-kind';
import { AddressNotAllowed } from '../../outbound/address-guard';
import { describeFailure } from '../../outbound/failure-reason';
import type { Logger } from '../../platform/logger';
import { isAway } from '../../storage/mysql-errors';
import { openDecoder } from '../protocols/mqtt';
import { backOff } from './back-off';
import { BrokerConnection, RECEIVE_MAXIMUM } from './broker-connection';
import { openPassword } from './broker-password';
import { openBrokerStream } from './broker-stream';
import { readBroker } from './broker-url';
import { MessageIntake } from './message-intake';
import { RecentMessages } from './message-log';
import { MessageReports } from './message-reports';
import type { MqttParts } from './mqtt-parts';
import { type LeasedSource, LeaseLost } from './source-leases';
import { StateReport } from './state-report';
import { StoredPackets } from './stored-packets';
import { Subscriptions } from './subscriptions';
import { SET_ASIDE_MS, type SuspectSources, TRIED_APART, TRIED_WITHIN_MS } from './suspect-sources';

const CONNECT_AGAIN = { firstMs: 1_000, longestMs: 300_000 };
/** A connection of this length proves that its messages end no process. */
const FORGET_DEATHS_MS = 600_000;
/**
 * After a connection of this length the next pause is the shortest again. A broker behind a network that breaks its
 * connections now and then must not be left alone for minutes.
 */
const STABLE_MS = 5_000;
const NOT_ALLOWED =
  'this installation refuses to connect to the address of the broker, because it is not public: its operator can allow the network by the setting DELIVERY_ALLOW_NETWORKS';

/** Runs one connection until it ends, is stopped or loses the lease. */
export class SourceRunner {
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;
  /** When the broker accepted the connection. */
  private connectedMs: number | undefined;

  constructor(
    private readonly parts: MqttParts,
    readonly id: number,
    readonly revision: number,
    /** Where sources go whose connection must not begin; absent in the lone process. */
    private readonly suspects?: SuspectSources | undefined,
  ) {}

  start(onEnd: () => void): void {
    this.running = this.run().finally(onEnd);
  }

  /** Ends at once without a further acknowledgement, after a running commit. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private get isStopped(): boolean {
    return this.stopped.signal.aborted;
  }

  private async run(): Promise<void> {
    try {
      await this.connectOnce();
    } catch (error) {
      if (!(error instanceof LeaseLost) && !isAway(error)) logFault(this.parts.logger, this.id, error);
    }
  }

  /** Gives the lease back at the end, until the next try. */
  private async connectOnce(): Promise<void> {
    const { leases, clock } = this.parts;
    const source = await leases.read(this.id);
    if (source.revision !== this.revision || this.isStopped) throw new LeaseLost();
    if (!(await this.mayBegin(source))) return;
    const stopCounting = this.countLong();
    const report = new StateReport(leases, source, clock, () => this.stopped.abort());
    try {
      const reason = await this.follow(source, report);
      if (this.isStopped) return;
      const lastedMs = this.connectedMs === undefined ? 0 : performance.now() - this.connectedMs;
      const failures = lastedMs > STABLE_MS ? 0 : source.failures;
      const nextTryMs = clock.now() + backOff(failures, CONNECT_AGAIN);
      report.add({ state: 'failed', lastError: reason, giveBack: { failures: failures + 1, nextTryMs } });
    } finally {
      stopCounting();
      if (!this.isStopped) await report.flush();
      report.stop();
    }
  }

  /** False if the messages ended several processes: the lone process has just tried the source, or it is set aside. */
  private async mayBegin(source: LeasedSource): Promise<boolean> {
    const { careful, leases, clock } = this.parts;
    if (!careful) return true;
    const known = careful.quarantine.find('source', this.id)?.reason;
    if (known === undefined && (await careful.begun.begin('source', [this.id])) < MOST_DEATHS) return true;
    const [state, lastError, ms] =
      known === undefined
        ? (['connecting', TRIED_APART, TRIED_WITHIN_MS] as const)
        : (['failed', known, SET_ASIDE_MS] as const);
    const giveBack = { failures: source.failures, nextTryMs: clock.now() + ms };
    await leases.write(source, { state, lastError, giveBack });
    if (known === undefined) this.suspects?.add(source);
    return false;
  }

  /** Forgets deaths of other processes when the connection has lasted, and all when it ends. */
  private countLong(): () => void {
    const { careful } = this.parts;
    if (!careful) return () => undefined;
    const { begun } = careful;
    const timer = setInterval(() => {
      begun.end('source', [this.id]);
      void begun.begin('source', [this.id]);
    }, FORGET_DEATHS_MS).unref();
    return () => {
      clearInterval(timer);
      begun.end('source', [this.id]);
    };
  }

  /** Returns why the connection ended. */
  private async follow(source: LeasedSource, report: StateReport): Promise<string> {
    const { guard, box, contexts, gate } = this.parts;
    const work = gate.open(source.ownerId);
    const address = readBroker(source.url);
    const recent = new RecentMessages(this.parts.messages, source.id);
    try {
      await recent.open();
      const addresses = await guard.check(address.host);
      const { sealedPassword, caCertificate } = source;
      const login = { ...source, password: sealedPassword === null ? null : openPassword(box, sealedPassword, source) };
      const secureContext = address.isTls
        ? await work.run(() => contexts.contextFor(source.ownerId, caCertificate))
        : undefined;
      const route = { address, addresses, secureContext };
      return await this.converse(source, { report, recent }, (onLarge, events) => {
        const stream = openBrokerStream({ ...route, onLarge });
        return new BrokerConnection(stream, login, events);
      });
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      return reasonOf(error);
    } finally {
      const isKept = await this.parts.leases.exists(this.id).catch(() => true);
      await recent.close(!isKept);
    }
  }

  private converse(source: LeasedSource, { report, recent }: Outputs, open: Open): Promise<string> {
    const { leases, writer, quota, clock, logger, metrics } = this.parts;
    const decoder = openDecoder(source.decoder);
    decoder.restore(source.descriptions);
    const work = this.parts.gate.open(source.ownerId);
    const inFlight = source.protocolVersion === 5 ? RECEIVE_MAXIMUM : undefined;
    const packets = StoredPackets.fromText(source.unconfirmed, inFlight);
    let ended: (error: Error | undefined) => void = () => undefined;
    const end = new Promise<Error | undefined>((resolve) => {
      ended = resolve;
    });
    const lose = () => this.stopped.abort();
    const intake: MessageIntake = new MessageIntake({
      ...{ source, decoder, work, packets, leases, writer, quota, clock },
      reports: new MessageReports({ sourceId: source.id, report, recent, metrics, logger, onLost: lose }),
      broker: {
        acknowledge: (packetIds) => connection.acknowledge(packetIds),
        ping: () => connection.ping(),
      },
      onNamed: () => subscriptions.onNamed(),
    });
    const connection = open(({ topic, packetId }) => intake.onLarge(topic, packetId), {
      onConnected: (isResumed) => {
        this.connectedMs = performance.now();
        if (!isResumed) packets.forgetEarlier();
        report.add({ lastError: '', kept: 0 });
        const begun = subscriptions.begin(isResumed).then(() => report.add({ state: 'connected' }));
        // Retained messages of the subscriptions come before the answer.
        begun.then(() => connection.answered()).then(() => intake.begin(), fail);
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
      ...{ source, decoder, work, connection, onError: fail },
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

interface Outputs {
  report: StateReport;
  recent: RecentMessages;
}

type Open = (
  onLarge: (message: { topic: string; packetId: number | undefined }) => void,
  events: ConstructorParameters<typeof BrokerConnection>[2],
) => BrokerConnection;

/** Without addresses and credentials. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressNotAllowed) return NOT_ALLOWED;
  if (!(error instanceof Error)) return 'the broker closed the connection';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code === undefined ? error.message : describeFailure(code);
}

function logFault(logger: Logger, sourceId: number, error: unknown): void {
  logger.warn({ mqttSourceId: sourceId, err: error }, 'an MQTT source failed by a fault of the platform');
}
