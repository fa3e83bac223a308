import type { RefusedLogins } from '../fairness/refused-logins';
import { isSameSecret } from '../rules/same-secret';
import type { SecretBox } from '../rules/secret-box';
import type { Application } from '../storage/models/application.model';
import { findApplication } from './find-application';

/** What consumer keys are made of. */
const KEY = /^[0-9A-Za-z]{1,64}$/;

/** Finds applications by their key, and checks their secrets; guessing a secret is limited like guessing a password. */
export class ClientSecrets {
  constructor(
    private readonly secrets: SecretBox,
    private readonly refusedLogins: Pick<RefusedLogins, 'check' | 'count'>,
  ) {}

  /** The application with this key; null when there is none, or it or its owner's account was deleted. */
  find(consumerKey: string): Promise<Application | null> {
    // MySQL cannot compare the column with letters that it cannot hold.
    return KEY.test(consumerKey) ? findApplication({ consumerKey }) : Promise.resolve(null);
  }

  /** The secret of an application, for an HMAC. */
  secretOf({ encryptedSecret, consumerKey }: Application): string {
    return this.secrets.open(encryptedSecret, consumerKey);
  }

  /**
   * The application with this key and secret, else null. TooMany when too many secrets of it were refused from this address,
   * or from this address at all.
   */
  async authenticate(consumerKey: string, secret: string, network: string): Promise<Application | null> {
    await this.admit(consumerKey, network);
    const application = await this.find(consumerKey);
    // Also compared when there is no such application, so that both take the same time.
    const isRight = isSameSecret(secret, application ? this.secretOf(application) : '');
    if (application && isRight) return application;
    await this.refuse(consumerKey, network);
    return null;
  }

  /** Throws TooMany when too many secrets of this application were refused from this address. */
  admit(consumerKey: string, network: string): Promise<void> {
    return this.refusedLogins.check(guess(consumerKey, network), network);
  }

  /** Counts a secret, or a signature that was made with one, that was refused. */
  refuse(consumerKey: string, network: string): Promise<void> {
    return this.refusedLogins.count(guess(consumerKey, network), network);
  }
}

/** Counted for the address, too: everybody knows the key, and must not be able to lock the application for others. */
function guess(consumerKey: string, network: string) {
  return { kind: 'application', name: `${consumerKey} ${network}` } as const;
}
