import assert from 'node:assert/strict';
import Ajv from 'ajv';
import type { DeliveryCause } from '../../../src/channels/channel';
import { formOf } from '../../../src/channels/webhook-form';
import { WEBHOOKS } from '../../../src/http/openapi/webhooks';

const CAUSES: [webhook: string, cause: DeliveryCause, text: string][] = [
  ['triggerFired', { kind: 'trigger', sensorId: 42, triggerId: 5 }, 'greenhouse: 31.2'],
  ['triggerFired', { kind: 'trigger', sensorId: 42, triggerId: 5 }, ''],
  ['eventHappened', { kind: 'event', event: 'add_sensor_user', subjectId: 2, sourceId: 42, userId: 1 }, 'shared'],
  ['eventHappened', { kind: 'event', event: 'delivery_failed', subjectId: null, sourceId: null, userId: 1 }, ''],
  ['notificationTested', { kind: 'test' }, 'a test'],
];

describe('the webhooks of the OpenAPI document', () => {
  for (const [webhook, cause, text] of CAUSES) {
    it(`describe the fields of a request: ${webhook} with ${JSON.stringify(cause)} and the text "${text}"`, () => {
      const delivery = { id: 1, webhookId: 'msg_1', destination: '', text, cause, signingSecrets: [] };
      const validate = new Ajv({ strict: false }).compile({ ...schemaOf(webhook), additionalProperties: false });
      assert.ok(validate(formOf(delivery)), JSON.stringify(validate.errors));
    });
  }
});

function schemaOf(webhook: string): object {
  const { requestBody } = Object(Reflect.get(Object(WEBHOOKS[webhook]), 'post'));
  return requestBody.content['application/x-www-form-urlencoded'].schema;
}
