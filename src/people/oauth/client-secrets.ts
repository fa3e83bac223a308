import type { SecretBox } from '../../platform/secret-box';
import { isSameSecret } from '../../platform/secrets';
import type { Application } from '../../storage/models/application.model';
import type { RefusedLogins } from '../accounts/refused-logins';
import { findApplication } from './find-application';

/** The characters of consumer keys. */
const KEY = /^[0-9A-Za-z]{1,64}$/;

/**
 * Finds applications by their key, and checks their secrets. Failed attempts are limited in the same way as for
 * passwords.
 */
export class ClientSecrets {
  constructor(
    private readonly secrets: SecretBox,
    private readonly refusedLogins: Pick<RefusedLogins, 'check' | 'count'>,
  ) {}

  /** The application with this key; null if there is none, or if it or its owner's account was deleted. */
  find(consumerKey: string): Promise<Application | null> {
    // MySQL cannot compare the column with characters outside its character set.
    return KEY.test(consumerKey) ? findApplication({ consumerKey }) : Promise.resolve(null);
  }

  /** The secret of an application, as the key of an HMAC. */
  secretOf({ encryptedSecret, consumerKey }: Application): string {
    return this.secrets.open(encryptedSecret, consumerKey);
  }

  /**
   * The application with this key and secret, otherwise null. Throws TooMany if too many wrong secrets for this
   * application, or for any, came from this address.
   */
  async authenticate(consumerKey: string, secret: string, network: string): Promise<Application | null> {
    await this.admit(consumerKey, network);
    const application = await this.find(consumerKey);
    // Also compared if there is no such application, so that both cases take the same time.
    const isRight = isSameSecret(secret, application ? this.secretOf(application) : '');
    if (application && isRight) return application;
    await this.refuse(consumerKey, network);
    return null;
  }

  /** Throws TooMany if too many wrong secrets for this application came from this address. */
  admit(consumerKey: string, network: string): Promise<void> {
    return this.refusedLogins.check(guess(consumerKey, network), network);
  }

  /** Counts a wrong secret, or a signature made with one. */
  refuse(consumerKey: string, network: string): Promise<void> {
    return this.refusedLogins.count(guess(consumerKey, network), network);
  }
}

/**
 * Counted for the address as well: the key is public, so an attacker could otherwise lock the application for others.
 */
function guess(consumerKey: string, network: string) {
  return { kind: 'application', name: `${consumerKey} ${network}` } as const;
}
