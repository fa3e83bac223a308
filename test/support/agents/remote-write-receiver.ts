import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SeriesPoint } from '../../../src/gateways/protocols/series';
import { readRemoteWrite } from '../remote-write-bytes';

/** A small server that takes remote write and does nothing but read it. */
export interface RemoteWriteReceiver {
  url: string;
  /** The status of every answer from now on; at first 204. */
  status: number;
  /** Number of requests that were answered; a test may set it back. */
  answered: number;
  /** The headers of the latest request. */
  headers: IncomingHttpHeaders;
  /** The points of the requests that were answered by a success, and the problems of all requests. */
  points: SeriesPoint[];
  problems: string[];
  close(): Promise<void>;
}

export async function startRemoteWriteReceiver(): Promise<RemoteWriteReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { points, problems } = readRemoteWrite(Buffer.concat(chunks));
      const { status } = receiver;
      receiver.headers = request.headers;
      receiver.problems.push(...problems);
      if (status < 300) receiver.points.push(...points);
      receiver.answered += 1;
      response.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // the address of a TCP server
  const receiver: RemoteWriteReceiver = {
    ...{ url: `http://127.0.0.1:${port}/api/v1/write`, status: 204, answered: 0 },
    ...{ headers: {}, points: [], problems: [] },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
