import { UNPACK_FIRST } from './2026-11-27-1000-pack-old-points';
import type { Migration } from './migration';

/**
 * Pages of chunks are a fifth to a third empty, and compressed pages store nothing for that (decision 92). The release
 * before this one does not read the codec with which chunks are written from now on.
 */
export const compressChunks: Migration = {
  name: '2026-11-27-1100-compress-chunks',
  up: (schema) => schema.compressPages('data_chunks', 1),
  down: async (schema) => {
    await schema.ensureEmpty('data_chunks', UNPACK_FIRST);
    await schema.decompressPages('data_chunks');
  },
};
