import assert from 'node:assert/strict';
import { type Act, actAs, unrecorded } from '../../../src/audit';
import { buildTrigger } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { statementsOf } from '../../support/statements';

/** The end of the chain moves, and the record is inserted. */
const MOST_STATEMENTS = 2;

describe('the record of an edit', () => {
  const platform = usePlatform();
  const ada = useUser(platform);

  it(`costs at most ${MOST_STATEMENTS} statements`, async () => {
    const id = Number(await buildTrigger(ada, { name: 'too warm' }));
    const userId = Number(ada.id);
    const act: Act = { userId, byKind: 'session', byId: 1, address: null, action: 'edit', dateMs: Date.now() };
    const caller = { userId, credential: { kind: 'session', id: 1 } } as const;
    const edit = (name: string) => platform.container.services.triggers.update(caller, id, { name });
    const without = await statementsOf(platform, async () => void (await unrecorded(() => edit('a'))));
    const recorded = await statementsOf(platform, async () => void (await actAs(act, () => edit('b'))));
    assert.ok(without.length > 0);
    const more = recorded.length - without.length;
    assert.ok(more > 0 && more <= MOST_STATEMENTS, [...recorded, '', ...without].join('\n'));
  });
});
