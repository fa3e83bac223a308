import type { Schema } from './schema';

/** One change of the schema. Either direction can be run again after a crash at any point of it. */
export interface Migration {
  name: string;
  up(schema: Schema): Promise<void>;
  down(schema: Schema): Promise<void>;
}
