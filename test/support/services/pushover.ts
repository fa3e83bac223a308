import { type Answer, formIn, isWebAddress, requireThat, type ServiceRules } from './service';

const [TOKEN, USER] = ['aExampleTokenOfAnApplication01', 'uExampleKeyOfAUserOrAGroup0123'];

/**
 * Parameters, limits in characters of up to four bytes (message 1,024, title 250, url 512, url_title 100), priorities,
 * and answers with `status` and `errors`: https://pushover.net/api#messages, #limits, #priority and #response. Over the
 * limit of a month it answers 429, and says in `X-Limit-App-Reset` when the month ends; it sends no Retry-After.
 */
export const pushover: ServiceRules = {
  preset: 'pushover',
  values: (url) => ({ server: url, token: TOKEN, user: USER }),
  wrong: (url) => ({ server: url, token: 'u'.repeat(30), user: USER }),
  tooMany: () => ({
    ...refused(429, 'token', 'application has exceeded its limit'),
    headers: { 'X-Limit-App-Remaining': '0' },
  }),
  take: (request) => {
    requireThat(request.path.join('/') === '1/messages.json', refused(404, 'path', 'page not found'));
    const form = formIn(request, refused(400, 'message', 'message cannot be blank'));
    requireThat(form.token === TOKEN, refused(400, 'token', 'application token is invalid'));
    requireThat(form.user === USER, refused(400, 'user', 'user identifier is invalid'));
    const { message = '', title = '', priority = '0', url = '', url_title = '' } = form;
    requireThat(message.trim() !== '', refused(400, 'message', 'message cannot be blank'));
    requireThat(lengthOf(message) <= 1_024, refused(400, 'message', 'message is too long'));
    requireThat(lengthOf(title) <= 250, refused(400, 'title', 'title is too long'));
    requireThat(lengthOf(url) <= 512, refused(400, 'url', 'url is too long'));
    requireThat(url === '' || isWebAddress(url), refused(400, 'url', 'url is not valid'));
    requireThat(lengthOf(url_title) <= 100, refused(400, 'url_title', 'url_title is too long'));
    requireThat(
      ['-2', '-1', '0', '1'].includes(priority),
      refused(400, 'retry', 'retry must be supplied with priority=2'),
    );
    const whole = JSON.stringify([title, message, url, url_title]);
    const answer = { status: 200, body: { status: 1, request: '647d2300-702c-4b38-8b2f-d56326ae460b' } };
    return { shown: { title, text: message, urgency: priority, whole }, answer };
  },
};

function lengthOf(text: string): number {
  return [...text].length;
}

function refused(status: number, field: string, why: string): Answer {
  const request = '5042853c-402d-4a18-abcb-168734a801de';
  return { status, body: { [field]: 'invalid', errors: [why], status: 0, request } };
}
