import { Op, type Transaction } from 'sequelize';
import { hashSecret, randomText } from '../../platform/secrets';
import { OAuth2Grant } from '../../storage/models/oauth2-grant.model';
import { OAuth2Token } from '../../storage/models/oauth2-token.model';

const SECRET_LENGTH = 43;
export const ACCESS_SECONDS = 3_600;
const REFRESH_MS = 90 * 86_400_000;
/** Maximum number per authorization or service; one more ends the oldest. */
const MAX_GRANTS = 100;
/** Maximum number per grant; the oldest are deleted. */
const MAX_TOKENS = 200;

/** A prefix gives the kind without a look-up, and lets scanners find a published secret. */
const PREFIXES = { access: 'oat_', refresh: 'ort_' } as const;

export interface IssuedTokens {
  accessToken: string;
  refreshToken: string | undefined;
  scopes: string;
}

/** The refresh token has all scopes of the grant. */
export async function issueTokens(
  grant: OAuth2Grant,
  { scopes, withRefresh, nowMs }: { scopes: string; withRefresh: boolean; nowMs: number },
  transaction: Transaction,
): Promise<IssuedTokens> {
  const accessEndMs = nowMs + ACCESS_SECONDS * 1_000;
  const accessToken = newToken('access');
  const refreshToken = withRefresh ? newToken('refresh') : undefined;
  const row = { grantId: grant.id, createdMs: nowMs };
  await OAuth2Token.create(
    { ...row, kind: 'access', tokenHash: hashSecret(accessToken), scopes, expiresMs: accessEndMs },
    { transaction },
  );
  if (refreshToken !== undefined) {
    const fields = { tokenHash: hashSecret(refreshToken), scopes: grant.scopes, expiresMs: nowMs + REFRESH_MS };
    await OAuth2Token.create({ ...row, kind: 'refresh', ...fields }, { transaction });
  }
  await grant.update({ expiresMs: withRefresh ? nowMs + REFRESH_MS : accessEndMs }, { transaction });
  await keepTokens(grant.id, transaction);
  return { accessToken, refreshToken, scopes };
}

export function isAccessToken(text: string): boolean {
  return text.length === PREFIXES.access.length + SECRET_LENGTH && text.startsWith(PREFIXES.access);
}

export async function keepGrants(
  where: { applicationId: number; authorizationId: number | null },
  transaction: Transaction,
): Promise<void> {
  const [oldest] = await OAuth2Grant.findAll({
    where,
    order: [['id', 'DESC']],
    offset: MAX_GRANTS,
    limit: 1,
    transaction,
  });
  if (oldest) await OAuth2Grant.destroy({ where: { ...where, id: { [Op.lte]: oldest.id } }, transaction });
}

async function keepTokens(grantId: number, transaction: Transaction): Promise<void> {
  const where = { grantId };
  const [oldest] = await OAuth2Token.findAll({
    where,
    order: [['id', 'DESC']],
    offset: MAX_TOKENS,
    limit: 1,
    transaction,
  });
  if (oldest) await OAuth2Token.destroy({ where: { ...where, id: { [Op.lte]: oldest.id } }, transaction });
}

function newToken(kind: keyof typeof PREFIXES): string {
  return PREFIXES[kind] + randomText(SECRET_LENGTH);
}
