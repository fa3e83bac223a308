import mysql, { type Pool } from 'mysql2/promise';
import type { Sequelize } from 'sequelize';
import { connectModels } from './models';

/** The two ways to MySQL: models for the resources, a plain pool for the path of a data point. */
export interface Database {
  sequelize: Sequelize;
  pool: Pool;
  close(): Promise<void>;
}

/** Opens both; connections are made when first needed. */
export function openDatabase(mysqlUrl: string): Database {
  const sequelize = connectModels(mysqlUrl);
  const pool = mysql.createPool({
    uri: mysqlUrl,
    connectionLimit: 8,
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    enableKeepAlive: true,
  });
  return {
    sequelize,
    pool,
    close: async () => {
      await sequelize.close();
      await pool.end();
    },
  };
}
