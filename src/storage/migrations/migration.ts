import type { Schema } from './schema';

/** One change of the schema. Both directions can be repeated after a crash at any point. */
export interface Migration {
  name: string;
  up(schema: Schema): Promise<void>;
  down(schema: Schema): Promise<void>;
}
