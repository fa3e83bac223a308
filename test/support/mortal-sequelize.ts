import type { Socket } from 'node:net';
import { Sequelize } from 'sequelize';

export interface MortalSequelize {
  sequelize: Sequelize;
  isDead(): boolean;
}

/**
 * Connections to MySQL of a process that is killed when `diesAfter` returns true for a statement that has just run.
 * They break without notice to the server, and no cleanup reaches it afterwards.
 */
export function connectMortal(url: string, diesAfter: (statement: string) => boolean): MortalSequelize {
  const sequelize = new Sequelize(url, { dialect: 'mysql', logging: false });
  const sockets = new Set<Socket>();
  let isDead = false;
  sequelize.addHook('afterConnect', (connection) => {
    sockets.add((connection as { stream: Socket }).stream); // the driver's own connection, whose type leaves it out
  });
  const query = sequelize.query.bind(sequelize);
  const mortalQuery = async (sql: string, options?: object) => {
    if (isDead) throw new Error('killed');
    const result = await query(sql, options);
    if (isDead || diesAfter(sql)) {
      isDead = true;
      for (const socket of sockets) socket.destroy();
      throw new Error('killed');
    }
    return result;
  };
  sequelize.query = mortalQuery as typeof sequelize.query; // one signature for its many
  return { sequelize, isDead: () => isDead };
}
