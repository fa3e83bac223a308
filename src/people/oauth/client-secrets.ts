import type { SecretBox } from '../../platform/secret-box';
import { isSameSecret } from '../../platform/secrets';
import type { Application } from '../../storage/models/application.model';
import type { RefusedLogins } from '../accounts/refused-logins';
import { findApplication } from './find-application';

const KEY = /^[0-9A-Za-z]{1,64}$/;

/** Failed attempts are limited as for passwords. */
export class ClientSecrets {
  constructor(
    private readonly secrets: SecretBox,
    private readonly refusedLogins: Pick<RefusedLogins, 'check' | 'count'>,
  ) {}

  /** Null if there is none, or it or its owner's account was deleted. */
  find(consumerKey: string): Promise<Application | null> {
    // MySQL cannot compare the column with characters outside its character set.
    return KEY.test(consumerKey) ? findApplication({ consumerKey }) : Promise.resolve(null);
  }

  /** The key of an HMAC. */
  secretOf({ encryptedSecret, consumerKey }: Application): string {
    return this.secrets.open(encryptedSecret, consumerKey);
  }

  /**
   * Null unless key and secret fit. Throws TooMany after too many wrong secrets from this address, for this application
   * or for any.
   */
  async authenticate(consumerKey: string, secret: string, network: string): Promise<Application | null> {
    await this.admit(consumerKey, network);
    const application = await this.find(consumerKey);
    // Compared without such an application as well, so that both cases take the same time.
    const isRight = isSameSecret(secret, application ? this.secretOf(application) : '');
    if (application && isRight) return application;
    await this.refuse(consumerKey, network);
    return null;
  }

  /** Throws TooMany after too many wrong secrets for this application from this address. */
  admit(consumerKey: string, network: string): Promise<void> {
    return this.refusedLogins.check(guess(consumerKey, network), network);
  }

  /** Counts a wrong secret, or a signature made with one. */
  refuse(consumerKey: string, network: string): Promise<void> {
    return this.refusedLogins.count(guess(consumerKey, network), network);
  }
}

/** Counts the address as well: the key is public, so an attacker could lock the application for others. */
function guess(consumerKey: string, network: string) {
  return { kind: 'application', name: `${consumerKey} ${network}` } as const;
}
