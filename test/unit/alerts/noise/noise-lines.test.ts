import assert from 'node:assert/strict';
import { NoiseController } from '../../../../src/alerts/noise/noise.controller';
import type { NoiseService } from '../../../../src/alerts/noise/noise.service';
import { NoiseCount } from '../../../../src/alerts/noise/noise-count';
import type { SuggestionsService } from '../../../../src/alerts/noise/suggestions.service';
import { exportTable } from '../../../../src/api/table-export';
import { NOISE } from '../../../../src/api/tables';
import type { Caller } from '../../../../src/platform/caller';

it('a report on alerts is counted once for the lines of all its pages', async () => {
  let counted = 0;
  const rows = Array.from({ length: 2_500 }, (_, index) => ({ id: index + 1, ...new NoiseCount().numbers }));
  const noise = {
    count: async () => {
      counted += 1;
      return { by: 'sensor', rows, summary: new NoiseCount().numbers, days: [] };
    },
    page: async ({ rows: all }: { rows: typeof rows }, { offset, limit }: { offset: number; limit: number }) => ({
      rows: { items: all.slice(offset, offset + limit).map((row) => ({ ...row, name: '' })), total: all.length },
      summary: new NoiseCount().numbers,
      days: [],
    }),
  } as unknown as NoiseService; // all that the controller uses
  const controller = new NoiseController(noise, {} as SuggestionsService, { now: () => 2_000_000_000_000 });
  const query = { start_date: 1_795_219_200, end_date: 1_795_824_000, by: 'sensor', timezone: 'UTC' } as const;
  const { lines } = exportTable(NOISE, 'csv', query, async (page) => ({
    ...(await controller.reportAlerts({ ...query, ...page }, { userId: 7 } as Caller)),
  }));
  let count = 0;
  for await (const some of lines) count += [...some].length;
  assert.deepEqual([count, counted], [2_501, 1]);
});
