import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import type { SMTPServer, SMTPServerOptions } from 'smtp-server';
import { EmailChannel } from '../../src/notifications/delivery/channels/email.channel';
import { Mailer } from '../../src/notifications/delivery/channels/mailer';
import { SmtpTransport } from '../../src/notifications/delivery/channels/smtp.transport';
import type { AttemptOutcome } from '../../src/notifications/delivery/delivery-schedule';
import { outgoing, SECRETS } from '../support/channel-suite';
import { listenForMail, mailServer, smtpError } from '../support/mail-server';

const FROM = 'Sensors <us@sensors.example.org>';

describe('the email channel', () => {
  let server: SMTPServer;
  let channel: EmailChannel;
  let transport: SmtpTransport;
  let port: number;

  const open = async (options: SMTPServerOptions, url = (at: number) => `smtp://127.0.0.1:${at}`) => {
    server = mailServer(options);
    port = await listenForMail(server);
    transport = new SmtpTransport(url(port), FROM, { timeoutMs: 2_000, trustAnyone: true });
    channel = new EmailChannel(transport, 'https://sensors.example.org');
  };
  const stop = async () => {
    await transport.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  afterEach(stop);

  const send = async (fields = {}): Promise<AttemptOutcome> => {
    const outcome = await channel.send(outgoing({ destination: 'ward@example.org', ...fields }));
    for (const secret of SECRETS) assert.ok(!JSON.stringify(outcome).includes(secret), JSON.stringify(outcome));
    return outcome;
  };
  const withLogin = (at: number) => `smtp://mailuser:s3cret@127.0.0.1:${at}`;

  it('sends the same content as text and HTML, with the same Message-ID at every attempt', async () => {
    const mails: string[] = [];
    await open({
      onData: (stream, _session, done) => {
        void buffer(stream).then((mail) => {
          mails.push(mail.toString());
          done();
        });
      },
    });
    const text = 'too <hot> & "humid"\nsecond line';
    for (let attempt = 0; attempt < 2; attempt += 1) assert.deepEqual(await send({ text }), { kind: 'delivered' });
    for (const mail of mails) {
      assert.match(mail, /^Message-ID: <msg_0123456789abcdef@sensors\.example\.org>\r$/m);
      assert.match(mail, /^Auto-Submitted: auto-generated\r$/m);
      assert.match(mail, /^To: ward@example\.org\r$/m);
      assert.match(mail, /^Subject: Trigger 2 fired on sensor 1\r$/m);
      assert.match(mail, /Content-Type: text\/plain; charset=utf-8/);
      assert.ok(mail.includes('too <hot> & "humid"\r\nsecond line'));
      assert.match(mail, /Content-Type: text\/html; charset=utf-8/);
      assert.ok(mail.replaceAll('=\r\n', '').includes('too &lt;hot&gt; &amp; &quot;humid&quot;'));
    }
  });

  it('does not tell the words of the mail server when a mail of the platform itself fails', async () => {
    await open({ onRcptTo: (_address, _session, done) => done(smtpError(550)) });
    const mail = { to: 'ward@example.org', subject: 'Welcome', text: 'Hello' };
    await assert.rejects(new Mailer(transport).send(mail), new Error('mailbox refused (the mail server answered 550)'));
  });

  const answers: [number, Partial<AttemptOutcome>][] = [
    [451, { kind: 'retry-later', reason: 'the mail server answered 451' }],
    [450, { kind: 'retry-later', reason: 'the mail server answered 450' }],
    [452, { kind: 'retry-later', reason: 'the mail server answered 452' }],
    [550, { kind: 'refused', reason: 'mailbox refused', statusCode: 550 }],
    [553, { kind: 'refused', reason: 'mailbox refused', statusCode: 553 }],
  ];
  for (const [code, expected] of answers) {
    it(`reports ${expected.kind} when the server answers ${code} to the recipient`, async () => {
      await open({ onRcptTo: (_address, _session, done) => done(smtpError(code)) });
      assert.deepEqual(await send(), expected);
    });
    it(`reports ${expected.kind} when the server answers ${code} to the content`, async () => {
      await open({
        onData: (stream, _session, done) => {
          stream.on('end', () => done(smtpError(code)));
          stream.resume();
        },
      });
      assert.deepEqual(await send(), expected);
    });
  }

  it('does not count it against the recipient when the server refuses the sender', async () => {
    await open({ onMailFrom: (_address, _session, done) => done(smtpError(550)) });
    const outcome = await send();
    assert.deepEqual([outcome.kind, 'ours' in outcome && outcome.ours], ['retry-later', true]);
  });

  it('tries again later when its login is refused', async () => {
    await open({ onAuth: (_auth, _session, done) => done(smtpError(535)) }, withLogin);
    const reason = 'the mail server refused our login';
    assert.deepEqual(await send(), { kind: 'retry-later', reason, ours: true });
  });

  it('sends its login over TLS only', async () => {
    const logins: boolean[] = [];
    const onAuth: SMTPServerOptions['onAuth'] = (_auth, session, done) => {
      logins.push(session.secure);
      done(null, { user: 'mailuser' });
    };
    await open({ onAuth }, withLogin);
    assert.deepEqual(await send(), { kind: 'delivered' });
    await stop();
    await open({ onAuth, disabledCommands: ['STARTTLS'] }, withLogin);
    const reason = 'no secure connection to the mail server';
    assert.deepEqual(await send(), { kind: 'retry-later', reason, ours: true });
    assert.deepEqual(logins, [true]);
  });

  it('sends without TLS when the server has none and there is no login', async () => {
    await open({ disabledCommands: ['STARTTLS'] });
    assert.deepEqual(await send(), { kind: 'delivered' });
  });

  it('sends many mails over few connections', async () => {
    let connections = 0;
    await open({
      onConnect: (_session, done) => {
        connections += 1;
        done();
      },
    });
    const outcomes = await Promise.all(Array.from({ length: 60 }, (_, id) => send({ webhookId: `msg_${id}` })));
    assert.ok(outcomes.every(({ kind }) => kind === 'delivered'));
    assert.ok(connections <= 10, `${connections} connections`);
  });

  it('sends to one mailbox only, whatever the destination looks like', async () => {
    const recipients: string[] = [];
    await open({
      onRcptTo: ({ address }, _session, done) => {
        recipients.push(address);
        done();
      },
    });
    await send({ destination: 'ward@example.org, other@example.org' });
    await send({ destination: 'ward@example.org\r\nRCPT TO:<other@example.org>' });
    assert.ok(recipients.length <= 2 && !recipients.includes('other@example.org'), recipients.join());
  });
});
