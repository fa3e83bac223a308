import { formIn, isText, requireThat, type ServiceRules } from './service';

const [ACCOUNT, TOKEN] = ['AC0123456789abcdef0123456789abcdef', 'fedcba9876543210fedcba9876543210'];
const [FROM, TO] = ['+15017122661', '+15558675310'];
const PHONE = /^\+[1-9]\d{1,14}$/;

/**
 * The request: https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource, with a `Body` of at
 * most 1,600 characters (https://www.twilio.com/docs/api/errors/21617); basic authentication
 * (https://www.twilio.com/docs/api/errors/20003). Form of errors: https://www.twilio.com/docs/usage/twilios-response.
 * Rate limit, without Retry-After: https://www.twilio.com/docs/api/errors/20429.
 */
export const twilio: ServiceRules = {
  preset: 'twilio',
  values: (url) => ({ server: url, account: ACCOUNT, token: TOKEN, sender: FROM, recipient: TO }),
  wrong: (url) => ({ server: url, account: ACCOUNT, token: 'unknown', sender: FROM, recipient: TO }),
  tooMany: () => error(429, 20429, 'Too Many Requests'),
  take: (request) => {
    const expected = `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`;
    requireThat(request.headers.authorization === expected, error(401, 20003, 'Authenticate'));
    requireThat(
      request.path.join('/') === `2010-04-01/Accounts/${ACCOUNT}/Messages.json`,
      error(404, 20404, 'The requested resource was not found'),
    );
    const form = formIn(request, error(400, 21602, 'Message body is required.'));
    requireThat(PHONE.test(form.To ?? ''), error(400, 21211, "Invalid 'To' Phone Number"));
    requireThat(
      'From' in form || 'MessagingServiceSid' in form,
      error(400, 21603, "A 'From' phone number is required."),
    );
    requireThat(isText(form.Body, 1_000_000), error(400, 21602, 'Message body is required.'));
    const isShort = isText(form.Body, 1_600);
    requireThat(isShort, error(400, 21617, 'The concatenated message body exceeds the 1600 character limit'));
    const text = form.Body ?? '';
    const shown = { title: '', text, urgency: '', whole: JSON.stringify([form.To, text]) };
    return { shown, answer: { status: 201, body: { sid: 'SM44', status: 'queued' } } };
  },
};

function error(status: number, code: number, message: string) {
  return { status, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status } };
}
