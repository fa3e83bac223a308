import { usePlatform, useUser } from '../../support/hooks';
import { exchangesIn, Replay } from '../../support/http-examples';
import { readPage } from '../../support/markdown';

describe('the requests that the documentation shows', () => {
  const platform = usePlatform();

  for (const page of [
    'docs/services.md',
    'docs/backtest.md',
    'docs/alerts.md',
    'docs/recipes.md',
    'docs/changing-rules.md',
  ]) {
    describe(`in ${page}`, () => {
      const replay = new Replay(platform, useUser(platform));
      let isWhole = true;

      for (const exchange of exchangesIn(readPage(page))) {
        it(`have the response shown under ${exchange.heading}: ${exchange.method} ${exchange.path}`, async function () {
          // Later requests use what earlier ones have created.
          if (!isWhole) this.skip();
          isWhole = false;
          await replay.send(exchange);
          isWhole = true;
        });
      }
    });
  }
});
