import mysql, { type Connection } from 'mysql2';

interface Sent {
  sql: string;
  values?: unknown;
}

/** The statements, with their values, that this process sends to MySQL during `work` over any connection; those of a packet one by one. */
export async function sentDuring(work: () => Promise<unknown>): Promise<string[]> {
  return (await packetsDuring(work)).flatMap((packet) => packet.split(/; (?=[A-Z])/));
}

/** The same, packet by packet. */
export async function packetsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const { Connection } = mysql as unknown as { Connection: { prototype: Pick<Connection, 'query'> } }; // not in the types
  const { prototype } = Connection;
  const original = prototype.query;
  const packets: string[] = [];
  const recorded = function (this: unknown, statement: string | Sent, ...rest: unknown[]): unknown {
    const { sql, values = rest[0] } = typeof statement === 'string' ? { sql: statement } : statement;
    packets.push(Array.isArray(values) ? mysql.format(sql, values) : sql);
    return Reflect.apply(original, this, [statement, ...rest]);
  };
  Object.assign(prototype, { query: recorded });
  try {
    await work();
  } finally {
    Object.assign(prototype, { query: original });
  }
  return packets;
}
