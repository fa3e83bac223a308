import type { Request } from 'express';
import { type Oidc, operatorRuleOf, type Profile } from '../../people';
import type { Clock } from '../../platform/clock';
import type { OperatorRule } from '../../platform/oidc-settings';
import type { SecretBox } from '../../platform/secret-box';
import { SealedCookie } from './sealed-cookie';

/** A working day: then the provider is asked again. */
const LIFE_MS = 8 * 3_600_000;

interface OperatorLogin {
  user: string;
  role: 'act' | 'look';
  rule: OperatorRule;
}

/** Operators that the identity provider vouches for. They need no account. */
export class OperatorSessions {
  private readonly cookie: SealedCookie<OperatorLogin>;

  constructor(
    private readonly settings: Oidc['settings'],
    secretBox: SecretBox,
    clock: Clock,
  ) {
    this.cookie = new SealedCookie({ name: 'operator', lifeMs: LIFE_MS, issuer: settings.issuer, secretBox, clock });
  }

  /** False if no identity can be an operator. */
  get areConfigured(): boolean {
    const { act, look } = this.settings.operators;
    return act.length + look.length > 0;
  }

  /** The `Set-Cookie` header; undefined for a user who is no operator. */
  begin(profile: Profile, secure: boolean): string | undefined {
    const found = operatorRuleOf(profile, this.settings);
    return found && this.cookie.write({ user: profile.name, ...found }, secure);
  }

  expired(secure: boolean): string {
    return this.cookie.expired(secure);
  }

  /** Undefined for a login by a rule that the settings no longer have. */
  read(request: Request): Pick<OperatorLogin, 'user' | 'role'> | undefined {
    const login = this.cookie.read(request);
    if (!login) return undefined;
    const { kind, value } = login.rule;
    const isRule = this.settings.operators[login.role].some((rule) => rule.kind === kind && rule.value === value);
    return isRule ? login : undefined;
  }
}
