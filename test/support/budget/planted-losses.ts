import type { Platform } from '../platform';

/** What a change might cost without anybody noticing: each is done once more than needed, for every upload. */
export const LOSSES = ['parse', 'statement', 'copy'] as const;
export type Loss = (typeof LOSSES)[number];

type Upload = Platform['container']['services']['dataPoints']['uploadMany'];

/** Ways to make uploads of several sensors do more than they need, one at a time. */
export function plantedLosses({ container }: Platform): Readonly<Record<Loss, () => Promise<void>>> {
  const { dataPoints } = container.services;
  const uploadMany: Upload = dataPoints.uploadMany.bind(dataPoints);
  const losses: Readonly<Record<Loss, Upload>> = {
    parse: (caller, uploads, receivedMs) => {
      JSON.parse(JSON.stringify(uploads));
      return uploadMany(caller, uploads, receivedMs);
    },
    statement: async (caller, uploads, receivedMs) => {
      await container.database.pool.query('SELECT 1');
      return uploadMany(caller, uploads, receivedMs);
    },
    copy: (caller, uploads, receivedMs) => {
      const copied = uploads.map((upload) => ({ ...upload, points: upload.points.map((point) => ({ ...point })) }));
      return uploadMany(caller, copied, receivedMs);
    },
  };
  const plant = (loss: Loss) => async () => {
    dataPoints.uploadMany = losses[loss];
  };
  return { parse: plant('parse'), statement: plant('statement'), copy: plant('copy') };
}
