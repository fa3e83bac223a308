import type { Express, Request, Response } from 'express';
import { nameActor } from '../../audit';
import { expiredSessionCookie, sessionCookie } from '../../people';
import { InvalidInput, PlatformError, SecondFactorRequired, TooMany } from '../../platform/errors';
import { type Html, html } from '../../platform/html';
import type { PlainText } from '../../platform/words/words';
import { refuseOtherMethods } from '../middlewares/method-not-allowed';
import { visitorOf } from '../visitor';
import { checkToken, tokenField, visitorSecret, visitorSecretIn } from './form-token';
import { wordsFor } from './language';
import { type Entered, LoginTickets } from './login-tickets';
import { errorMessage, rootOf, sendPage } from './page';
import { findPageVisitor, forPage, type PageParts, type PageUser, textIn } from './page-user';
import { digestOf } from './password';

/** The only pages that the login may lead to: never another site. */
const PAGES_WITH_LOGIN: readonly (readonly [page: RegExp, reason: PlainText])[] = [
  [/^\/oauth2?\/authorize\?/, 'An application asks to use your account. Log in to decide.'],
  [/^\/oauth\/register_app(?:\?|$)/, 'To register an application, log in with your account.'],
  [/^\/oauth\/authorizations(?:\?|$)/, 'Log in to see which applications may use your account.'],
];
/** Setting of the application with the host of the identity provider. */
export const IDENTITY_PROVIDER = 'identity provider';
const PURPOSE = 'login';
const TOO_LATE = 'This took too long. Log in again.' satisfies PlainText;

/** Shows the login in place of the page `next`, where the user continues afterwards. */
export function sendLogin(
  request: Request,
  response: Response,
  { next, error, status }: { next: string; error?: string; status?: number },
): void {
  const words = wordsFor(request);
  const title = words.t('Log in');
  const body = html`${errorMessage(error)}
<h1>${title}</h1>
<p class="quiet">${words.t(reasonOf(next))}</p>
<form method="post" action="${rootOf(request)}oauth/login">
${tokenField(visitorSecret(request, response), PURPOSE)}
<input type="hidden" name="next" value="${next}">
<div class="field">
<label for="username">${words.t('Username')}</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required>
</div>
<div class="field">
<label for="password">${words.t('Password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
</div>
<p class="buttons"><button>${title}</button></p>
</form>
${providerLink(request, next)}`;
  sendPage(request, response, { title, body, status, words, referrer: 'same-origin' });
}

/** For accounts that the identity provider vouches for: they may have no password. */
function providerLink(request: Request, next: string): Html | undefined {
  const provider: unknown = request.app.get(IDENTITY_PROVIDER);
  if (typeof provider !== 'string') return undefined;
  const text = wordsFor(request).t('Log in with {provider}', { provider });
  return html`<p><a href="${rootOf(request)}login/oidc?return_to=${encodeURIComponent(next)}">${text}</a></p>`;
}

/** Asks for the second factor, after the right password. */
function sendSecondStep(
  request: Request,
  response: Response,
  { next, ticket, refusal }: { next: string; ticket: string; refusal: SecondFactorRequired },
): void {
  const words = wordsFor(request);
  const title = words.t('Log in');
  const link = html`<a href="${rootOf(request)}console/">${words.t('Sign in on the console')}</a>`;
  const body = html`${errorMessage(refusal.code === 'wrong_code' ? words.said(refusal.message) : undefined)}
<h1>${title}</h1>
<p class="quiet">${
    refusal.kinds.includes('totp')
      ? words.t('Your account has a second factor.')
      : words.tx(
          'Your account has a passkey. {link} with it in this browser, then open this page again. Or enter a recovery code.',
          { link },
        )
  }</p>
<form method="post" action="${rootOf(request)}oauth/login">
${tokenField(visitorSecret(request, response), PURPOSE)}
<input type="hidden" name="next" value="${next}">
<input type="hidden" name="ticket" value="${ticket}">
<div class="field">
<label for="otp">${words.t('Code of the authenticator app, or a recovery code')}</label>
<input id="otp" name="otp" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required autofocus>
</div>
<p class="buttons"><button>${title}</button></p>
</form>`;
  sendPage(request, response, { title, body, status: 401, words, referrer: 'same-origin' });
}

/** Has a button to log in as another user, on the page `next`. */
export function whoIsLoggedIn(request: Request, user: PageUser, next = request.url): Html {
  const words = wordsFor(request);
  const name = html`<strong>${user.username}</strong>`;
  return html`<form class="who" method="post" action="${rootOf(request)}oauth/logout">
${tokenField(user.secret, 'logout')}
<input type="hidden" name="next" value="${next}">
${words.tx('Logged in as {name}.', { name })} <button class="link">${words.t('Use another account')}</button>
</form>`;
}

/** Logs in and out by a cookie. Other clients use `POST /login`. */
export function installLogin(app: Express, parts: PageParts): void {
  const pages: readonly (readonly [path: string, act: typeof logIn])[] = [
    ['/oauth/login', logIn],
    ['/oauth/logout', logOut],
  ];
  for (const [path, act] of pages) {
    app.post(
      path,
      forPage(parts, async (request, response) => {
        const user = await findPageVisitor(request, response, parts);
        await act(request, response, { ...parts, user });
      }),
    );
    app.all(path, refuseOtherMethods('POST'));
  }
}

type Parts = PageParts & { user: PageUser | undefined };

async function logIn(request: Request, response: Response, { services, secretBox }: Parts): Promise<void> {
  const next = textIn(request, 'next');
  checkToken(textIn(request, 'form_token'), visitorSecretIn(request) ?? '', PURPOSE);
  reasonOf(next);
  const tickets = new LoginTickets(secretBox, services.clock, visitorSecretIn(request) ?? '');
  const entered = enteredIn(request, tickets);
  if (!entered) return sendLogin(request, response, { next, error: wordsFor(request).t(TOO_LATE), status: 401 });
  const visitor = visitorOf(request);
  const more = { userAgent: request.get('user-agent') ?? '', otp: textIn(request, 'otp') || undefined };
  try {
    const session = await services.sessions.login(entered.username, entered.digest, { ...visitor, ...more });
    response.append('Set-Cookie', sessionCookie(session, visitor.secure));
    response.redirect(303, next);
  } catch (error) {
    if (error instanceof SecondFactorRequired) {
      return sendSecondStep(request, response, { next, ticket: tickets.issue(entered), refusal: error });
    }
    if (!isRefusal(error)) throw error;
    sendRefusal(request, response, error, next);
  }
}

/** The password, or what stands for one that was right a moment ago. Null if that was too long ago. */
function enteredIn(request: Request, tickets: LoginTickets): Entered | undefined {
  const ticket = textIn(request, 'ticket');
  if (ticket !== '') return tickets.read(ticket);
  return { username: textIn(request, 'username'), digest: digestOf(textIn(request, 'password')) };
}

function sendRefusal(request: Request, response: Response, error: PlatformError, next: string): void {
  const { status, retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
  const why = error instanceof TooMany ? error.message : wordsFor(request).t('the username or the password is wrong');
  sendLogin(request, response, { next, error: why, status });
}

async function logOut(request: Request, response: Response, { services, user }: Parts): Promise<void> {
  const next = textIn(request, 'next');
  reasonOf(next);
  if (user?.credential.kind === 'session') {
    checkToken(textIn(request, 'form_token'), user.secret, 'logout');
    nameActor(user);
    await services.sessions.logout({ ...visitorOf(request), ...user, credential: user.credential });
  }
  response.append('Set-Cookie', expiredSessionCookie(request.secure));
  response.redirect(303, next);
}

/** Throws InvalidInput for any other page: it may belong to another site. */
function reasonOf(next: string): PlainText {
  const found = PAGES_WITH_LOGIN.find(([page]) => page.test(next));
  if (!found) throw new InvalidInput('this login leads to no page of this platform');
  return found[1];
}

function isRefusal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && (error.code === 'login_refused' || error instanceof TooMany);
}
