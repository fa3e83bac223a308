import assert from 'node:assert/strict';
import { DEFAULTS } from '../../../../src/alerts/rule-sets/entry-fields';
import openapi from '../../../../src/generated/openapi.json';

/** Fields without a default, and those of the document alone. */
const WITHOUT = ['name', 'id', 'type', 'destination', 'subscription', 'digest'];

describe('the fields of a rule set', () => {
  it('are all that the requests of the API have, each with a default', () => {
    const schemas = openapi.components.schemas;
    for (const [kind, { properties }] of [
      ['notification', schemas.RuleSetNotification],
      ['trigger', schemas.RuleSetTrigger],
      ['mute', schemas.RuleSetMute],
    ] as const) {
      const fields = Object.keys(properties).filter((name) => !WITHOUT.includes(name));
      assert.deepEqual(Object.keys(DEFAULTS[kind]).sort(), fields.sort(), kind);
    }
  });
});
