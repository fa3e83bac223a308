import { type RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { UploadConnection, type UploadSetting } from './upload-connection';

/** Its connections begin as upload connections, and become node's with the first request that is anything else. */
export class UploadServer extends Server {
  private readonly uploads = new Map<Socket, UploadConnection>();

  constructor(listener: RequestListener, setting: Omit<UploadSetting, 'toNode'>) {
    super(listener);
    const [accept] = this.listeners('connection'); // node's own
    this.removeAllListeners('connection');
    const forget = (socket: Socket) => this.uploads.delete(socket);
    const toNode = (socket: Socket) => {
      forget(socket);
      accept?.call(this, socket);
    };
    const ofAll = { ...setting, toNode };
    this.on('connection', (socket) => {
      this.uploads.set(socket, new UploadConnection(socket, ofAll));
      socket.once('close', () => forget(socket));
    });
  }

  override closeIdleConnections(): void {
    super.closeIdleConnections();
    for (const connection of this.uploads.values()) connection.closeSoon();
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const socket of this.uploads.keys()) socket.destroy();
  }
}
