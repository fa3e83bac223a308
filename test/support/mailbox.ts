import { buffer } from 'node:stream/consumers';
import { listenForMail, mailServer, smtpError } from './mail-server';

/** A mail that the server took, with its lines unfolded and its text decoded. */
export interface ReceivedMail {
  to: string[];
  text: string;
}

/** A mail server for the tests of this `describe` that keeps every mail; it is emptied before each of them. */
export class Mailbox {
  readonly mails: ReceivedMail[] = [];
  private port = 0;
  private refused = 0;

  /** Must be called before `usePlatform`, which gets the settings. */
  static use(): Mailbox {
    const mailbox = new Mailbox();
    const server = mailServer({
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) => {
        if (mailbox.refused === 0) return done();
        mailbox.refused -= 1;
        done(smtpError(451));
      },
      onData: (stream, session, done) => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        void buffer(stream).then((mail) => {
          mailbox.mails.push({ to, text: decoded(mail.toString()) });
          done();
        });
      },
    });
    before(async () => {
      mailbox.port = await listenForMail(server);
    });
    after(() => new Promise<void>((resolve) => server.close(() => resolve())));
    beforeEach(() => {
      mailbox.mails.length = 0;
    });
    return mailbox;
  }

  /** What makes a platform send its mails here. */
  get settings(): { SMTP_URL: string; PUBLIC_URL: string } {
    return { SMTP_URL: `smtp://127.0.0.1:${this.port}`, PUBLIC_URL: 'https://sensors.example.org/api' };
  }

  /** Refuses this number of mails for now: they are sent again. */
  refuseNext(count: number): void {
    this.refused = count;
  }

  /** The texts of the mails that an address got. */
  to(address: string): string[] {
    return this.mails.filter(({ to }) => to.includes(address)).map(({ text }) => text);
  }
}

/** The subject, and the plain and the HTML part of a mail. */
export function partsOf(mail: string): { subject: string; plain: string; html: string } {
  const text = mail.replace(/(?:=[89A-F][0-9A-F])+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('=', ''), 'hex').toString(),
  );
  const [plain = '', html = ''] = text.split('Content-Type: text/html');
  return { subject: /^Subject: (.*)\r$/m.exec(mail)?.[1] ?? '', plain: plain.replaceAll('\r\n', '\n'), html };
}

/** The path and token of the first link to a page of the platform in a mail; empty when there is none. */
export function linkIn(mail: string, page: 'unsubscribe' | 'confirm' | 'acknowledge'): string {
  const pattern = new RegExp(`https://sensors\\.example\\.org/api(/${page}\\?token=[\\w.-]+)`);
  return pattern.exec(mail)?.[1] ?? '';
}

/** Long lines are folded, and below the head also wrapped as quoted-printable. */
function decoded(mail: string): string {
  const end = mail.indexOf('\r\n\r\n');
  const text = mail.slice(0, end) + mail.slice(end).replaceAll('=\r\n', '');
  return text.replaceAll('=3D', '=').replace(/\r\n[ \t]+/g, ' ');
}
