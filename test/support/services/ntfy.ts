import { isText, isWebAddress, type Json, objectIn, objectsOf, requireThat, type ServiceRules } from './service';

const [TOPIC, TOKEN] = ['greenhouse-7fK2pQ9x', 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'];

/**
 * The request: https://docs.ntfy.sh/publish/#publish-as-json; priorities 1 to 5; at most three actions, each with a
 * label, `view` and `http` with a URL (https://docs.ntfy.sh/publish/#action-buttons); a message of at most 4,096 bytes
 * (https://docs.ntfy.sh/publish/#limitations: a longer one becomes an attachment, which this server does not take).
 * Errors: https://github.com/binwiederhier/ntfy/blob/main/server/errors.go. Its limits send no Retry-After.
 */
export const ntfy: ServiceRules = {
  preset: 'ntfy',
  values: (url) => ({ server: url, topic: TOPIC, token: TOKEN }),
  wrong: (url) => ({ server: url, topic: TOPIC, token: 'tk_unknown' }),
  tooMany: () => error(42901, 'limit reached: too many requests, please be nice', '#limitations'),
  take: (request) => {
    requireThat(request.headers.authorization === `Bearer ${TOKEN}`, error(40101, 'unauthorized', '#authentication'));
    requireThat(request.path.join('/') === '', error(40401, 'page not found'));
    const json = error(40017, 'invalid request: request body must be message JSON', '#publish-as-json');
    const message = objectIn(request, json);
    requireThat(/^[-_A-Za-z0-9]{1,64}$/.test(String(message.topic)), error(40009, 'invalid request: topic invalid'));
    requireThat(message.topic === TOPIC, error(40301, 'forbidden', '#authentication'));
    const { priority, tags, title, click } = message;
    const isPriority = Number.isInteger(priority) && Number(priority) >= 1 && Number(priority) <= 5;
    requireThat(isPriority, error(40007, 'invalid priority parameter', '#message-priority'));
    const isTags = Array.isArray(tags) && tags.every((tag) => isText(tag, 100));
    requireThat(isTags && isText(title, 1_000) && isText(message.message, 4_096), json);
    requireThat(
      Buffer.byteLength(String(message.message)) <= 4_096,
      error(40014, 'invalid request: attachments not allowed'),
    );
    const actions = objectsOf(message.actions);
    const isActions = actions.length <= 3 && actions.every(isAction);
    requireThat(isActions, error(40018, 'invalid request: actions invalid', '#action-buttons'));
    const whole = JSON.stringify([title, message.message, tags, actions, click]);
    const shown = { title: String(title), text: String(message.message), urgency: String(priority), whole };
    return { shown, answer: { status: 200, body: { id: 'sPs71M8A2T', event: 'message', topic: TOPIC } } };
  },
};

function isAction({ action, label, url, method = 'POST' }: Json): boolean {
  return ['view', 'http'].includes(String(action)) && isText(label, 100) && isWebAddress(url) && method === 'POST';
}

function error(code: number, message: string, link = '') {
  const status = Math.floor(code / 100);
  const where = link === '' ? {} : { link: `https://ntfy.sh/docs/publish/${link}` };
  return { status, body: { code, http: status, error: message, ...where } };
}
