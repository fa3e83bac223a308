import assert from 'node:assert/strict';
import { WEBHOOKS } from '../../../src/api/openapi/webhooks';
import type { DeliveryCause } from '../../../src/notifications/delivery/channels/channel';
import { formOf } from '../../../src/notifications/delivery/channels/webhook-form';
import { outgoing } from '../../support/channel-suite';
import { schemaValidator } from '../../support/webhook-schemas';

const CAUSES: [webhook: string, cause: DeliveryCause, text: string][] = [
  ['triggerFired', { kind: 'trigger', sensorId: 42, triggerId: 5 }, 'greenhouse: 31.2'],
  ['triggerFired', { kind: 'trigger', sensorId: 42, triggerId: 5 }, ''],
  ['triggerFired', { kind: 'trigger', sensorId: 42, triggerId: 5, isResolved: true }, 'over'],
  ['eventHappened', { kind: 'event', event: 'add_sensor_user', subjectId: 2, sourceId: 42, userId: 1 }, 'shared'],
  ['eventHappened', { kind: 'event', event: 'delivery_failed', subjectId: null, sourceId: null, userId: 1 }, ''],
  ['notificationTested', { kind: 'test' }, 'a test'],
];

describe('the webhooks of the OpenAPI document', () => {
  for (const [webhook, cause, text] of CAUSES) {
    it(`describe the fields of a request: ${webhook} with ${JSON.stringify(cause)} and the text "${text}"`, () => {
      const validate = schemaValidator(WEBHOOKS[webhook], 'application/x-www-form-urlencoded');
      assert.deepEqual(validate(formOf(outgoing({ cause, text }))), []);
    });
  }
});
