import { isText, objectIn, requireThat, type ServiceRequest, type ServiceRules } from './service';

const KEY = '01234567-89ab-cdef-0123-456789abcdef';
const ACCEPTED = { result: 'Request will be processed', took: 0.1, requestId: '43a29c5c-3dbf-4fa4-9c26-f4f71023e120' };

/**
 * Creating, acknowledging and closing, with `GenieKey` and `identifierType`:
 * https://developer.atlassian.com/cloud/jira/service-desk-ops/rest/v1/api-group-integration-events/. Limits of the fields
 * (message 130, alias 512, description 15,000 characters):
 * https://support.atlassian.com/opsgenie/docs/alerts-and-alert-fields/. Both are answered 202, and happen later.
 */
export const jiraServiceManagement: ServiceRules = {
  preset: 'jira_service_management',
  values: (url) => ({ server: url, api_key: KEY }),
  wrong: (url) => ({ server: url, api_key: 'unknown-unknown-unknown-unknown' }),
  tooMany: () => refused(429, 'You are making too many requests!'),
  take: (request) => {
    requireThat(request.headers.authorization === `GenieKey ${KEY}`, refused(401, 'Could not authenticate'));
    const [version, kind, alias, action, ...more] = request.path;
    requireThat(version === 'v2' && kind === 'alerts' && more.length === 0, refused(404, 'Not found'));
    const shown = alias === undefined ? created(request) : changed(request, alias, action);
    return { shown, answer: { status: 202, body: ACCEPTED } };
  },
};

function created(request: ServiceRequest) {
  const { message, alias, description, priority, details } = objectIn(request, refused(400, 'JSON is invalid'));
  requireThat(isText(message, 130), refused(422, 'message: must have 1 to 130 characters'));
  requireThat(isText(alias, 512), refused(422, 'alias: must have at most 512 characters'));
  requireThat(isText(description, 15_000, 0), refused(422, 'description: must have at most 15000 characters'));
  requireThat(/^P[1-5]$/.test(String(priority)), refused(422, 'priority: must be one of P1 to P5'));
  const whole = JSON.stringify([message, description, details]);
  return { title: message, text: description, urgency: String(priority), key: alias, whole };
}

function changed(request: ServiceRequest, alias: string, action: string | undefined) {
  requireThat(request.query.get('identifierType') === 'alias', refused(404, 'Not found'));
  requireThat(action === 'close' || action === 'acknowledge', refused(404, 'Not found'));
  const { note = '' } = objectIn(request, refused(400, 'JSON is invalid'));
  requireThat(typeof note === 'string', refused(400, 'note: must be a string'));
  const isEnd = action === 'close';
  const whole = JSON.stringify(isEnd ? note : 'acknowledged');
  return { title: '', text: note, urgency: '', key: alias, isEnd, whole };
}

function refused(status: number, message: string) {
  return { status, body: { message, took: 0.1, requestId: ACCEPTED.requestId } };
}
