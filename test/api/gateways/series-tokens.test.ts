import assert from 'node:assert/strict';
import { registerApplication } from '../../support/applications';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { OAuth2Flow } from '../../support/oauth2';

const SCOPE = 'data:write sensors:create';

describe('an application that reports new series', () => {
  const platform = usePlatform();
  const developer = useUserPerTest(platform);
  const user = useUserPerTest(platform);
  let flow: OAuth2Flow;
  beforeEach(async () => {
    flow = new OAuth2Flow(platform, await registerApplication(developer));
  });

  const write = async (token: string, names: readonly string[]) => {
    const body = names.map((name) => `${name} value=1 1795229544000000000`).join('\n');
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await fetch(`${platform.url}/api/v2/write`, { method: 'POST', headers, body });
    return status;
  };
  const namesOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `m${from + index}`);
  const sensors = async () => (await user.api.get('/sensors?total=1')).body.total;

  it('asks for that in plain words', async () => {
    const page = await flow.open(user, flow.address({ scope: SCOPE }));
    assert.match(page.text, /Create sensors for what your devices report/);
    const without = await flow.open(user, flow.address({ scope: 'data:write' }));
    assert.doesNotMatch(without.text, /Create sensors for/);
  });

  it('makes sensors only with the scope for it', async () => {
    const { access_token: token } = await flow.tokens(user, { scope: 'data:write' });
    assert.equal(await write(token, ['m']), 403);
    assert.equal(await sensors(), 0);
    const { access_token: allowed } = await flow.tokens(user, { scope: SCOPE });
    assert.equal(await write(allowed, ['m']), 204);
    assert.equal(await write(token, ['m']), 204);
    assert.equal(await sensors(), 1);
  });

  it('makes 1,000 sensors at most, with all of its tokens together', async () => {
    const first = await flow.tokens(user, { scope: SCOPE });
    assert.equal(await write(first.access_token, namesOf(999)), 204);
    const { access_token: second } = (await flow.refresh(first.refresh_token)).body;
    assert.equal(await write(second, namesOf(2, 999)), 403);
    const { access_token: third } = await flow.tokens(user, { scope: SCOPE });
    assert.equal(await write(third, namesOf(1, 1_001)), 403);
    assert.equal(await sensors(), 1_000);
  });
});
