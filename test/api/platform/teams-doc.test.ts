import { usePlatform, useUser } from '../../support/hooks';
import { exchangesIn, Replay } from '../../support/http-examples';
import { readPage } from '../../support/markdown';

describe('the guide to alerts in a group', () => {
  const platform = usePlatform();
  const ada = useUser(platform, { username: 'ada' });
  const grace = useUser(platform, { username: 'grace' });

  it('has requests of two colleagues that answer as it says', async () => {
    let caller = ada;
    const replay = new Replay(platform, {
      api: {
        get: (path) => caller.api.get(path),
        post: (path, body) => caller.api.post(path, body),
        put: (path, body) => caller.api.put(path, body),
        delete: (path, body) => caller.api.delete(path, body),
      },
    });
    for (const exchange of exchangesIn(readPage('docs/teams.md'))) {
      caller = exchange.heading.startsWith('Grace') ? grace : ada;
      await replay.send(exchange);
    }
  });
});
