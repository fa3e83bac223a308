import { exchangesIn, Replay } from '../support/http-examples';
import { readPage } from '../support/markdown';
import { type Platform, startPlatform } from '../support/platform';

describe('the requests that the documentation shows', () => {
  let platform: Platform;

  before(async () => {
    platform = await startPlatform();
  });
  after(() => platform.close());

  for (const page of ['docs/services.md', 'docs/backtest.md']) {
    describe(`in ${page}`, () => {
      let replay: Replay;
      let isWhole = true;

      before(async () => {
        replay = new Replay(platform, await platform.user());
      });

      for (const exchange of exchangesIn(readPage(page))) {
        it(`answer as shown under ${exchange.heading}: ${exchange.method} ${exchange.path}`, async function () {
          // What comes later uses what came before.
          if (!isWhole) this.skip();
          isWhole = false;
          await replay.send(exchange);
          isWhole = true;
        });
      }
    });
  }
});
