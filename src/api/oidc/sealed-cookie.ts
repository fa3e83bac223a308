import type { Request } from 'express';
import type { Clock } from '../../platform/clock';
import type { SecretBox } from '../../platform/secret-box';

export interface CookieParts {
  name: 'oidc_login' | 'operator';
  lifeMs: number;
  /** The provider: a cookie about another one is no cookie. */
  issuer: string;
  secretBox: SecretBox;
  clock: Clock;
}

/** What a browser keeps for the platform, and can neither read nor change. */
export class SealedCookie<T extends object> {
  constructor(private readonly parts: CookieParts) {}

  /** The `Set-Cookie` header. */
  write(content: T, secure: boolean): string {
    const { lifeMs, secretBox, clock } = this.parts;
    return this.header(secretBox.sealUntil(content, this.owner, clock.now() + lifeMs), lifeMs, secure);
  }

  /** The `Set-Cookie` header that deletes it. */
  expired(secure: boolean): string {
    return this.header('', 0, secure);
  }

  /** Undefined for a cookie that is missing, too old or not of this platform. */
  read(request: Request): T | undefined {
    const cookies = (request.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
    const start = `${this.parts.name}=`;
    const sealed = cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length);
    const { secretBox, clock } = this.parts;
    return sealed ? secretBox.openUntil(sealed, this.owner, clock.now()) : undefined;
  }

  private header(value: string, lifeMs: number, secure: boolean): string {
    const { name } = this.parts;
    return `${name}=${value}; Path=/; Max-Age=${lifeMs / 1000}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  }

  private get owner(): string {
    return `${this.parts.name} of ${this.parts.issuer}`;
  }
}
