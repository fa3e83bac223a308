import { bytesOf, isText, objectIn, objectOf, requireThat, type ServiceRules } from './service';

const ROOM = '!exampleRoom0123:example.org';
const TOKEN = 'syt_ZXhhbXBsZQ_aBcDeFgHiJkLmNoPqRsT_0AbCdE';
/** https://spec.matrix.org/latest/client-server-api/#size-limits. */
const MAX_BYTES = 65_536;

/**
 * The request, and that a repeated transaction id makes no second message:
 * https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid. Messages:
 * https://spec.matrix.org/latest/client-server-api/#mtext. `m.mentions` decides who is mentioned:
 * https://spec.matrix.org/latest/client-server-api/#user-and-room-mentions. Errors and rate limit:
 * https://spec.matrix.org/latest/client-server-api/#rate-limiting.
 */
export const matrix: ServiceRules = {
  preset: 'matrix',
  values: (url) => ({ server: url, room_id: ROOM, token: TOKEN }),
  wrong: (url) => ({ server: url, room_id: ROOM, token: 'unknown' }),
  tooMany: (seconds) => ({
    ...error(429, 'M_LIMIT_EXCEEDED', 'Too many requests', { retry_after_ms: seconds * 1000 }),
    headers: { 'Retry-After': String(seconds) },
  }),
  take: (request) => {
    requireThat(
      request.headers.authorization === `Bearer ${TOKEN}`,
      error(401, 'M_UNKNOWN_TOKEN', 'Unrecognised access token'),
    );
    requireThat(request.method === 'PUT', error(405, 'M_UNRECOGNIZED', 'Unrecognized request'));
    const transaction = request.path.at(-1) ?? '';
    const expected = ['_matrix', 'client', 'v3', 'rooms', ROOM, 'send', 'm.room.message', transaction];
    requireThat(request.path.join(' ') === expected.join(' '), error(403, 'M_FORBIDDEN', 'User not in room'));
    requireThat(isText(transaction, 255), error(400, 'M_INVALID_PARAM', 'no transaction id'));
    requireThat(bytesOf(request) <= MAX_BYTES, error(413, 'M_TOO_LARGE', 'event too large'));
    const message = objectIn(request, error(400, 'M_NOT_JSON', 'Content not JSON.'));
    requireThat(message.msgtype === 'm.text' && isText(message.body, MAX_BYTES), error(400, 'M_BAD_JSON', 'no body'));
    const body = String(message.body);
    const isQuiet = 'm.mentions' in message && Object.keys(objectOf(message['m.mentions'])).length === 0;
    const whole = JSON.stringify(isQuiet ? body : body.replace(/@room\b/g, 'MENTION of room'));
    const [title = '', ...lines] = body.split('\n');
    const shown = { title, text: lines.join('\n'), urgency: '', key: transaction, whole };
    return { shown, answer: { status: 200, body: { event_id: `$${transaction}` } } };
  },
};

function error(status: number, errcode: string, message: string, more = {}) {
  return { status, body: { errcode, error: message, ...more } };
}
