import assert from 'node:assert/strict';
import { Words } from '../../src/platform/words/words';
import { composePreset } from '../support/composed-preset';
import { SERVICES } from '../support/services/all';
import { type Answer, Refused, type ServiceRequest, type ServiceRules } from '../support/services/service';

/** What the service answers to a request: its answer, or its refusal. */
function answerOf(rules: ServiceRules, request: ServiceRequest): Answer {
  try {
    return rules.take(request).answer;
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

/** A good body with another value at a place in it, `attachments.0.color`; without that place if the value is absent. */
function changed({ text, headers, ...rest }: ServiceRequest, place: string, value: unknown): ServiceRequest {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
  const names = place.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce((at, name) => at[name], body);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return { ...rest, headers, text: isForm ? new URLSearchParams(body).toString() : JSON.stringify(body) };
}

const LONG = 'x'.repeat(50_000);
const WIDE = '😀'.repeat(1_500);

/** For each service: a place in the body, a value there that its rules forbid, and what it answers. */
const FORBIDDEN: Record<string, readonly (readonly [place: string, value: unknown, status: number, says: string])[]> = {
  slack: [
    ['text', undefined, 400, 'no_text'],
    ['attachments.0.blocks.0.text.text', '', 400, 'invalid_blocks'],
    ['attachments.0.blocks.0.text.text', 'x'.repeat(3_001), 400, 'invalid_blocks'],
    ['attachments.0.blocks.1.elements', [], 400, 'invalid_blocks'],
  ],
  mattermost: [['attachments', [], 400, 'web.incoming_webhook.text.app_error']],
  rocketchat: [
    ['text', 'x'.repeat(5_001), 400, 'error-message-size-exceeded'],
    ['channel', '#general', 400, 'overriding destination channel is disabled'],
  ],
  discord: [
    ['embeds', [], 400, 'Cannot send an empty message'],
    ['embeds.0.title', 'x'.repeat(257), 400, 'Invalid Form Body'],
    ['embeds.0.description', 'x'.repeat(4_097), 400, 'Invalid Form Body'],
    ['embeds.0.color', '#c62828', 400, 'Invalid Form Body'],
  ],
  teams: [
    ['type', 'card', 400, 'InvalidRequestContent'],
    ['attachments.0.content.body.1.text', LONG, 413, 'RequestEntityTooLarge'],
  ],
  googlechat: [
    ['cards', [], 400, 'Unknown name'],
    ['cardsV2.0.card.sections.0.widgets.0.textParagraph.text', LONG, 400, 'too long'],
  ],
  telegram: [
    ['text', '', 400, 'message text is empty'],
    ['text', 'x'.repeat(4_097), 400, 'message is too long'],
    ['text', 'a <blink>', 400, "can't parse entities"],
    ['chat_id', 1, 400, 'chat not found'],
  ],
  matrix: [
    ['body', undefined, 400, 'M_BAD_JSON'],
    ['body', 'x'.repeat(65_536), 413, 'M_TOO_LARGE'],
  ],
  ntfy: [
    ['topic', 'a b', 400, 'topic invalid'],
    ['topic', 'other', 403, 'forbidden'],
    ['priority', 6, 400, 'invalid priority parameter'],
    ['priority', '5', 400, 'invalid priority parameter'],
    ['message', WIDE, 400, 'attachments not allowed'],
    ['actions.0.url', '', 400, 'actions invalid'],
    ['actions.0.label', '', 400, 'actions invalid'],
  ],
  gotify: [
    ['message', '', 400, "Field 'message' is required"],
    ['priority', '5', 400, 'priority'],
  ],
  pushover: [
    ['message', '', 400, 'message cannot be blank'],
    ['message', 'x'.repeat(1_025), 400, 'message is too long'],
    ['title', 'x'.repeat(251), 400, 'title is too long'],
    ['priority', '2', 400, 'retry must be supplied'],
    ['user', 'x', 400, 'user identifier is invalid'],
  ],
  twilio: [
    ['Body', '', 400, '21602'],
    ['Body', 'x'.repeat(1_601), 400, '21617'],
    ['To', '12', 400, '21211'],
    ['From', undefined, 400, '21603'],
  ],
  homeassistant: [],
  pagerduty: [
    ['routing_key', 'short', 400, "Length of 'routing_key' is incorrect"],
    ['event_action', 'close', 400, 'event_action'],
    ['payload.summary', 'x'.repeat(1_025), 400, 'payload.summary'],
    ['payload.source', '', 400, 'payload.source'],
    ['payload.severity', 'high', 400, 'payload.severity'],
    ['payload.timestamp', '', 400, 'payload.timestamp'],
    ['dedup_key', 'x'.repeat(256), 400, 'dedup_key'],
  ],
  jira_service_management: [
    ['message', 'x'.repeat(131), 422, 'message'],
    ['priority', 'high', 422, 'priority'],
    ['description', 'x'.repeat(15_001), 422, 'description'],
  ],
  alertmanager: [
    ['0.labels', {}, 400, 'at least one label pair required'],
    ['0.labels.alertname', 5, 400, 'invalid labels'],
    ['0.startsAt', '', 400, 'date-time'],
    ['0.endsAt', '2020-01-01T00:00:00Z', 400, 'start time must be before end time'],
  ],
  apprise: [
    ['body', '', 400, 'Bad FORM Payload'],
    ['type', 'bad', 400, 'invalid notification type'],
    ['tag', 'none', 424, 'could not be sent'],
  ],
  cloudevents: [
    ['specversion', '0.3', 400, 'specversion'],
    ['subject', '', 400, 'subject'],
    ['subject', 'a\nb', 400, 'subject'],
    ['time', 'yesterday', 400, 'time'],
    ['traceParent', 'x', 400, 'traceParent'],
  ],
};

describe('the services of the tests', () => {
  for (const rules of SERVICES) {
    it(`take what the preset ${rules.preset} sends`, () => {
      const { shown, answer } = rules.take(composePreset(rules));
      assert.ok(answer.status >= 200 && answer.status < 300);
      assert.match(shown.text, /greenhouse: 31\.2/);
    });

    it(`take what the preset ${rules.preset} sends in German, with the words of its links and buttons`, () => {
      const words = Words.in('de');
      const [english, german] = [composePreset(rules), composePreset(rules, words)];
      const { answer } = rules.take(german);
      assert.ok(answer.status >= 200 && answer.status < 300);
      const textOf = ({ text }: { text: string }) => decodeURIComponent(text);
      for (const label of ['Acknowledge', 'Chart'] as const) {
        const parts = textOf(english).split(label);
        assert.equal(textOf(german).split(words.t(label)).length, parts.length);
        assert.ok(!textOf(german).includes(label));
      }
    });

    for (const [place, value, status, says] of FORBIDDEN[rules.preset] ?? assert.fail(rules.preset)) {
      it(`answer as ${rules.preset} to ${place}: ${JSON.stringify(value)?.slice(0, 20)}`, () => {
        const answer = answerOf(rules, changed(composePreset(rules), place, value));
        assert.equal(answer.status, status);
        assert.ok(JSON.stringify(answer.body).includes(says), JSON.stringify(answer.body));
      });
    }

    it(`refuse as ${rules.preset} what is not of the right content type`, () => {
      const request = composePreset(rules);
      const answer = answerOf(rules, { ...request, headers: { ...request.headers, 'content-type': 'text/html' } });
      // Home Assistant says nothing, whatever it gets.
      const isRefused = rules.preset === 'homeassistant' ? answer.status === 200 : answer.status >= 400;
      assert.ok(isRefused, String(answer.status));
    });
  }
});
