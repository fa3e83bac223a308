import { hash, verify } from '@node-rs/argon2';
import { FairSemaphore } from '../../fairness/fair-semaphore';

/** argon2id, as OWASP recommends for interactive logins: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash that no password matches: checking against it takes as long as checking a real one. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$nCVwDXGchgUbgWISTc9BWg$MeL2wiopeOo/vorp32W5gOOO65FPv2sKdQmZw7KECck';

/**
 * Passwords that one process hashes at the same time. Each keeps a core busy, and one of the four threads of Node.js that
 * compress responses and look names up.
 */
const AT_ONCE = 2;
/** Passwords from one address that may wait for that. */
const MAY_WAIT = 100;
const MAY_WAIT_IN_ALL = 500;
/** Who sets a password is limited elsewhere. */
const SETTING = 'setting';

/** What matters to a check of a password, apart from the password. */
export interface Check {
  /** Those who wait are checked by turns of their addresses. */
  address: string;
  /** Called when it is the password's turn; when it throws, the password is not checked. */
  admit: () => Promise<void>;
}

/**
 * Hashes and checks passwords. What clients send (32 hexadecimal digits) is the password itself; the letter case of the
 * digits makes no difference.
 */
export class Passwords {
  private readonly gate = new FairSemaphore<string>(AT_ONCE, MAY_WAIT, MAY_WAIT_IN_ALL);

  /** The argon2id hash that is stored. */
  hash(digest: string): Promise<string> {
    return this.gate.run(SETTING, () => hash(digest.toLowerCase(), COST));
  }

  /**
   * Whether the password has this hash. Without a hash (no such user) the answer is no, after the same time. TooMany when
   * too many from the address wait.
   */
  matches(storedHash: string | undefined, digest: string, { address, admit }: Check): Promise<boolean> {
    return this.gate.run(address, async () => {
      await admit();
      const matches = await verify(storedHash ?? DECOY_HASH, digest.toLowerCase());
      return storedHash !== undefined && matches;
    });
  }
}
