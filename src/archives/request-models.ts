import { createRequire } from 'node:module';
import { exactReader } from '../edge/models/exact-reader';
import type { ReadModel } from '../edge/read-model';
import type { models as allModels } from '../generated/routes';

/** Only a worker that imports needs them, and they bring all controllers. */
export async function readModels(): Promise<ReadModel> {
  const { models }: { models: typeof allModels } = createRequire(__filename)('../generated/routes');
  return exactReader(models);
}
