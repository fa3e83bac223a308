import assert from 'node:assert/strict';
import { buildSensor } from '../support/factories';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';

const COLUMNS = 1_000;
const BYTES = 9_900_000;

describe('an attack by tables', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);

  /** A CSV of 10 MB that is full of such cells. */
  function table(separator: string, cell: string): string {
    const names = Array.from({ length: COLUMNS }, (_, at) => `value.${at.toString(36)}`).join(separator);
    const line = `${Array(COLUMNS).fill(cell).join(separator)}\n`;
    return `${names}\n${line.repeat(Math.floor(BYTES / line.length))}`;
  }

  for (const [separator, cell] of [
    [',', '1'],
    [';', '1,5'],
  ] as const) {
    it(`of 10 MB full of cells like ${cell} delays nobody`, async () => {
      const id = await buildSensor(attacker, { data_type: 'json' });
      const body = table(separator, cell);
      const headers = { 'X-SESSION_ID': attacker.session, 'Content-Type': 'text/csv' };
      const send = async () => {
        const answer = await fetch(`${platform.url}/sensors/${id}/data`, {
          method: 'POST',
          headers,
          body,
        });
        await answer.arrayBuffer();
        return answer.status;
      };
      await bystander.during(async () => {
        for (let round = 0; round < 2; round += 1) {
          const statuses = await Promise.all([send(), send(), send()]);
          assert.ok(statuses.every((status) => [201, 400, 413, 429].includes(status)));
        }
      });
    });
  }
});
