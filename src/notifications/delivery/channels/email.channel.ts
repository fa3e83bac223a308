import { isEmailAddress } from '../../../edge/mail-address';
import { describeFailure } from '../../../outbound/failure-reason';
import { type Compute, inOneStep } from '../../../platform/steps';
import { withTimeout } from '../../../platform/with-timeout';
import type { AttemptOutcome } from '../delivery-schedule';
import { atOnce, type Channel, type ChannelDescriptor, type OutgoingDelivery } from './channel';
import { toMail } from './delivery-mail';
import type { MailTransport } from './mail-transport';

/** All mails have one receiver, whatever their address. */
const MAIL_SERVER = 'smtp';
/** Limits the whole handover, whatever the timeouts of its steps. */
const DEFAULT_TIMEOUT_MS = 20_000;

export const emailChannel: ChannelDescriptor = {
  checkDestination: (address) => (isEmailAddress(address) ? null : 'must be one email address'),
  receiverOf: () => MAIL_SERVER,
  // A failure of the mail server is ours; any other response concerns one mailbox.
  isReceiverFailure: ({ ours }) => ours === true,
  showsAlert: () => true,
  *show(delivery, publicUrl) {
    const { to, subject, text, headers = {} } = yield* inOneStep(() => toMail(delivery, publicUrl));
    return { method: null, url: to, contentType: 'text/plain', headers: { subject, ...headers }, body: text };
  },
  open: ({ mailTransport, publicUrl }) => new EmailChannel(mailTransport, publicUrl),
};

export class EmailChannel implements Channel {
  constructor(
    private readonly transport: MailTransport,
    private readonly publicUrl: string,
    private readonly timeoutMs = DEFAULT_TIMEOUT_MS,
  ) {}

  async send(delivery: OutgoingDelivery, _onSent?: () => void, compute: Compute = atOnce): Promise<AttemptOutcome> {
    const mail = await compute(inOneStep(() => toMail(delivery, this.publicUrl)));
    try {
      await withTimeout(this.timeoutMs, this.transport.send(mail), timeoutError);
      return { kind: 'delivered' };
    } catch (error) {
      return toOutcome(error instanceof Error ? error : new Error());
    }
  }

  /** The transport belongs to its owner. */
  async close(): Promise<void> {}
}

function timeoutError(): Error {
  return Object.assign(new Error('the mail server is slow'), { code: 'ETIMEDOUT' });
}

type Failure = Exclude<AttemptOutcome, { kind: 'delivered' }>;

/** Fields that nodemailer adds. */
interface MailError extends Error {
  code?: string;
  /** The error of the socket, if `code` only names the stage. */
  originalCode?: string;
  responseCode?: number;
  command?: string;
}

/** Leaves out the mail server's own text, which repeats addresses and may contain anything. */
export function reasonOf(error: MailError): string {
  const { reason } = toOutcome(error);
  const { responseCode } = error;
  return responseCode === undefined ? reason : `${reason} (the mail server answered ${responseCode})`;
}

/**
 * A 5xx response to the recipient or the content is permanent (RFC 5321, 4.2.1). Any other failure is between the mail
 * server and us.
 */
function toOutcome({ code = '', originalCode, responseCode: statusCode, command = '' }: MailError): Failure {
  if (statusCode !== undefined && (command === 'RCPT TO' || command === 'DATA')) {
    if (statusCode >= 500) return { kind: 'refused', reason: 'mailbox refused', statusCode };
    return { kind: 'retry-later', reason: `the mail server answered ${statusCode}` };
  }
  // nodemailer itself rejected the mailbox.
  if (code === 'EENVELOPE' && statusCode === undefined) return { kind: 'refused', reason: 'mailbox not valid' };
  const isStage = code === 'ESOCKET' || code === 'ECONNECTION';
  return { kind: 'retry-later', reason: describeFailure((isStage ? originalCode : undefined) ?? code), ours: true };
}
