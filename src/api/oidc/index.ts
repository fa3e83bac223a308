import type { Express, Request, Response } from 'express';
import { nameActor } from '../../audit';
import type { Container } from '../../container';
import { type LinkingSession, type LoginProof, type Oidc, type Profile, sessionCookie } from '../../people';
import { Forbidden, InvalidInput, Unauthorized } from '../../platform/errors';
import { html } from '../../platform/html';
import { refuseOtherMethods } from '../middlewares/method-not-allowed';
import { wordsFor } from '../pages/language';
import { rootOf } from '../pages/page';
import { findPageVisitor, forPage, type PageParts, type PageUser } from '../pages/page-user';
import { visitorOf } from '../visitor';
import type { OperatorSessions } from './operator-sessions';
import { SealedCookie } from './sealed-cookie';

const PATH = '/login/oidc';
const LIFE_MS = 10 * 60_000;
const CONSOLE = '/console/';
const LINKED = '/console/account/security';
/** The only pages that a login may lead to: never another site. A cookie holds the address. */
const OWN_PAGE = /^\/(?:console|admin|oauth2?)(?:[/?][\x21-\x5b\x5d-\x7e]{0,1500})?$/;
const OPERATORS_PAGE = /^\/admin(?:[/?]|$)/;

/** A login that is under way, in the browser that began it. */
interface Login {
  proof: LoginProof;
  base: string;
  returnTo: string;
  link?: LinkingSession;
}

interface Exchange {
  request: Request;
  response: Response;
}

interface Parts extends Pick<Container, 'config' | 'secretBox' | 'clock'> {
  oidc: Oidc;
  operators: OperatorSessions | undefined;
  pages: PageParts;
}

const waysOn = (request: Request) =>
  html`<p><a href="${rootOf(request)}console/">${wordsFor(request).t('Log in with your password')}</a></p>`;

/** Logins by the identity provider (OpenID Connect, code flow with PKCE). */
export function installOidc(app: Express, parts: Parts): void {
  const { oidc, secretBox, clock } = parts;
  const { issuer } = oidc.settings;
  const cookie = new SealedCookie<Login>({ name: 'oidc_login', lifeMs: LIFE_MS, issuer, secretBox, clock });
  const login = new OidcPages(parts, cookie);
  const pages = { '': login.begin, '/callback': login.finish, '/logout': login.logOut };
  for (const [end, handle] of Object.entries(pages)) {
    app.get(`${PATH}${end}`, forPage(parts.pages, handle, waysOn));
    app.all(`${PATH}${end}`, refuseOtherMethods('GET'));
  }
}

class OidcPages {
  constructor(
    private readonly parts: Parts,
    private readonly cookie: SealedCookie<Login>,
  ) {}

  readonly begin = async (request: Request, response: Response): Promise<void> => {
    const user = await findPageVisitor(request, response, this.parts.pages);
    const { link, return_to: returnTo } = request.query;
    const base = this.baseOf(request);
    const login = { base, returnTo: ownPage(returnTo), ...(link !== undefined && this.linking(link, user)) };
    const { location, proof } = await this.parts.oidc.provider.begin(`${base}${PATH}/callback`);
    response.append('Set-Cookie', this.cookie.write({ ...login, proof }, request.secure));
    response.redirect(303, location);
  };

  readonly finish = async (request: Request, response: Response): Promise<void> => {
    const user = await findPageVisitor(request, response, this.parts.pages);
    const { provider, usedStates } = this.parts.oidc;
    const login = this.cookie.read(request);
    response.append('Set-Cookie', this.cookie.expired(request.secure));
    const isOwn = login !== undefined && request.query.state === login.proof.state;
    if (!isOwn || !(await usedStates.use(login.proof.state, LIFE_MS))) {
      throw new InvalidInput('this login is out of date, or began in another browser: begin again');
    }
    const ask = () => provider.finish(queryOf(request), login.proof);
    if (login.link) await this.link(login.link, user, ask);
    else await this.enter(login, await ask(), { request, response });
    response.redirect(303, `${login.base}${login.returnTo}`);
  };

  /** Ends the session at the provider, if it can be ended; the one here has ended before. */
  readonly logOut = async (request: Request, response: Response): Promise<void> => {
    await findPageVisitor(request, response, this.parts.pages);
    const { operators, oidc } = this.parts;
    const returnTo = `${this.baseOf(request)}${CONSOLE}`;
    if (operators) response.append('Set-Cookie', operators.expired(request.secure));
    response.redirect(303, (await oidc.provider.logoutLocation(returnTo)) ?? returnTo);
  };

  private linking(ticket: unknown, user: PageUserOrNone): Pick<Login, 'link' | 'returnTo'> {
    const link = this.parts.pages.services.identities.readTicket(String(ticket));
    if (!link) throw new InvalidInput('this link is out of date: begin again on the page of your account');
    requireSame(link, user);
    return { link, returnTo: LINKED };
  }

  private async link(link: LinkingSession, user: PageUserOrNone, ask: () => Promise<Profile>): Promise<void> {
    const { identities, sessions } = this.parts.pages.services;
    nameActor(requireSame(link, user));
    return sessions.recordRefusal(link.userId, async () => identities.link(link, await ask()));
  }

  private async enter({ returnTo }: Login, profile: Profile, { request, response }: Exchange): Promise<void> {
    if (OPERATORS_PAGE.test(returnTo)) return this.logOperatorIn(request, response, profile);
    const visitor = visitorOf(request);
    const { language } = wordsFor(request);
    const browser = { ...visitor, userAgent: request.get('user-agent') ?? '', language };
    const session = await this.parts.oidc.logins.login(profile, browser);
    response.append('Set-Cookie', sessionCookie(session, visitor.secure));
  }

  private logOperatorIn(request: Request, response: Response, profile: Profile): void {
    const cookie = this.parts.operators?.begin(profile, request.secure);
    if (!cookie) throw new Forbidden('you are not an operator of this platform');
    response.append('Set-Cookie', cookie);
  }

  private baseOf(request: Request): string {
    return this.parts.config.publicUrl ?? `${request.protocol}://${request.host}`;
  }
}

type PageUserOrNone = PageUser | undefined;

/** Throws Unauthorized unless the browser has the session that asked for the link. */
function requireSame({ userId, sessionId }: LinkingSession, user: PageUserOrNone): PageUser {
  if (user?.userId === userId && user.credential.id === sessionId) return user;
  throw new Unauthorized('this link belongs to another session: begin again on the page of your account');
}

/** As it came: parameters must not be there twice. */
function queryOf({ originalUrl }: Request): string {
  return originalUrl.slice(originalUrl.indexOf('?') + 1);
}

function ownPage(path: unknown): string {
  return typeof path === 'string' && OWN_PAGE.test(path) ? path : CONSOLE;
}
