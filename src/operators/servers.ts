import type { RowDataPacket } from 'mysql2/promise';
import type { Reader } from '../storage/read-pool';

/** `running` connections run a statement. */
export interface MysqlState {
  connected: number;
  running: number;
  maxConnections: number;
}

/** Needs no rights. On a cluster, the load of the answering server. */
export async function readMysqlState(reads: Reader): Promise<MysqlState> {
  const [rows] = await reads.query<RowDataPacket[]>(
    "SHOW GLOBAL STATUS WHERE Variable_name IN ('Threads_connected', 'Threads_running')",
  );
  const [[limits]] = await reads.query<RowDataPacket[]>('SELECT @@GLOBAL.max_connections AS maxConnections');
  const status = new Map(rows.map(({ Variable_name: name, Value: value }) => [String(name), Number(value)]));
  return {
    connected: status.get('Threads_connected') ?? 0,
    running: status.get('Threads_running') ?? 0,
    maxConnections: Number(limits?.maxConnections ?? 0),
  };
}

/** `info` is the answer to `INFO memory`; 0 is no limit. */
export function redisMemoryIn(info: string): { used: number; max: number } {
  const read = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { used: read('used_memory'), max: read('maxmemory') };
}
