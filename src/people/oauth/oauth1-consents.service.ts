import type { Transaction } from 'sequelize';
import type { Identity } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { Forbidden, InvalidInput } from '../../platform/errors';
import { hashSecret, randomText } from '../../platform/secrets';
import type { Database } from '../../storage';
import type { Application } from '../../storage/models/application.model';
import { OAuth1Token } from '../../storage/models/oauth1-token.model';
import { forUpdate, inTransaction } from '../../storage/transaction';
import { requireLiveSession } from '../accounts/live-session';
import { isRegisteredCallback, OUT_OF_BAND } from './application';
import { callbacksOf } from './applications.service';
import type { AuthorizationsService } from './authorizations.service';
import { findApplication } from './find-application';
import { withParameters } from './oauth1/callback';
import { expiryOf } from './oauth1/token-lifetime';
import { expiredToken, unknownToken } from './oauth1.service';
import { OAUTH1_SCOPES } from './oauth1-access';

const VERIFIER_LENGTH = 27;
const SHOWN_VERIFIER_LENGTH = 10;

export interface WaitingRequest {
  application: Application;
  callback: string;
}

export interface Decision {
  token: string;
  action: 'ALLOW' | 'DENY';
  /** `tok_expir`: lifetime of the access. */
  tokExpir: string | undefined;
}

/** Without a callback, the verifier is shown to the user. */
export type Outcome = { redirectTo: string } | { verifier: string } | 'refused';

export class OAuth1Consents {
  constructor(
    private readonly database: Database,
    private readonly authorizations: AuthorizationsService,
    private readonly clock: Clock,
  ) {}

  /** Throws OAuth1Refused if the token is unknown, expired or decided, Forbidden if this user cannot allow it. */
  async find(token: string, userId: number | undefined): Promise<WaitingRequest> {
    const { application, callback } = await this.load(token);
    if (userId !== undefined) requireUserOf(application, userId);
    return { application, callback };
  }

  async decide(user: Pick<Identity, 'userId' | 'credential'>, { token, action, tokExpir }: Decision): Promise<Outcome> {
    const { userId } = user;
    const expiresMs = action === 'ALLOW' ? readExpiry(tokExpir, this.clock.now()) : null;
    return inTransaction(this.database.sequelize, async (transaction) => {
      const { row, application, callback } = await this.load(token, transaction);
      if (action === 'DENY') {
        await row.destroy({ transaction });
        return back(callback, token, ['oauth_problem', 'user_refused']) ?? 'refused';
      }
      requireUserOf(application, userId);
      const grant = { userId, applicationId: application.id, scopes: OAUTH1_SCOPES, expiresMs };
      const { id } = await this.authorizations.allow(grant, transaction);
      await requireLiveSession(user, transaction);
      const verifier = randomText(callback === OUT_OF_BAND ? SHOWN_VERIFIER_LENGTH : VERIFIER_LENGTH);
      const changes = { authorizationId: id, verifierHash: hashSecret(verifier), allowedUntilMs: expiresMs };
      await row.update(changes, { transaction });
      return back(callback, token, ['oauth_verifier', verifier]) ?? { verifier };
    });
  }

  private async load(token: string, transaction?: Transaction) {
    const where = { tokenHash: hashSecret(token), kind: 'request' as const };
    const row = await OAuth1Token.findOne({ where, ...(transaction ? forUpdate(transaction) : {}) });
    if (!row || row.verifierHash !== null || row.callback === null) throw unknownToken();
    if ((row.expiresMs ?? 0) <= this.clock.now()) throw expiredToken();
    const application = await findApplication({ id: row.applicationId }, transaction);
    const { callback } = row;
    // The owner may have removed the callback since the request.
    const isAllowed =
      application && (callback === OUT_OF_BAND || isRegisteredCallback(callback, callbacksOf(application)));
    if (!isAllowed) throw unknownToken();
    return { row, application, callback };
  }
}

/** Services have access to their owner's account only, in both protocols. */
function requireUserOf({ type, ownerId }: Application, userId: number): void {
  if (type === 'service' && ownerId !== userId)
    throw new Forbidden('this application is for the account of its owner only');
}

function readExpiry(tokExpir: string | undefined, nowMs: number): number | null {
  const expiresMs = tokExpir === undefined ? undefined : expiryOf(tokExpir, nowMs);
  if (expiresMs !== undefined) return expiresMs;
  throw InvalidInput.field('tok_expir', 'must be 1 (an hour), 2 (a day), 3 (a week), 4 (a month) or 0 (without end)');
}

function back(
  callback: string,
  token: string,
  result: readonly [name: string, value: string],
): { redirectTo: string } | undefined {
  if (callback === OUT_OF_BAND) return undefined;
  return { redirectTo: withParameters(callback, [['oauth_token', token], result]) };
}
