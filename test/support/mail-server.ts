import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A real SMTP server on this machine that accepts any login and any mail, unless `options` say otherwise. */
export function mailServer(options: SMTPServerOptions = {}): SMTPServer {
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onAuth: (_auth, _session, done) => done(null, { user: 'anyone' }),
    onData: (stream, _session, done) => {
      stream.on('end', () => done());
      stream.resume();
    },
    ...options,
  });
  server.on('error', () => undefined); // a client that disconnects early is part of the tests
  return server;
}

/** Starts the server and returns its port. */
export async function listenForMail(server: SMTPServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.server.address() as AddressInfo).port; // a TCP server's address is an AddressInfo
}

/** An error that makes the server respond with this code; its text repeats what logs must not contain. */
export function smtpError(code: number): Error {
  return Object.assign(new Error('ward@example.org is not wanted, s3cret'), { responseCode: code });
}
