import { hash, verify } from '@node-rs/argon2';
import { FairSemaphore } from '../../fairness/fair-semaphore';

/** argon2id, as OWASP recommends for interactive logins: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash that no password matches: checking against it takes as long as checking a real one. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$nCVwDXGchgUbgWISTc9BWg$MeL2wiopeOo/vorp32W5gOOO65FPv2sKdQmZw7KECck';

/**
 * Number of passwords that one process hashes at the same time. Each uses a core, and one of the four threads of
 * Node.js that also compress responses and look names up.
 */
const AT_ONCE = 2;
/** Maximum number of waiting checks for one address. */
const MAY_WAIT = 100;
const MAY_WAIT_IN_ALL = 500;
/** Setting a password is limited elsewhere. */
const SETTING = 'setting';

/** The context of a password check. */
export interface Check {
  /** Waiting checks are served round-robin by address. */
  address: string;
  /** Called before the hash is computed; if it throws, the password is not checked. */
  admit: () => Promise<void>;
}

/**
 * Hashes and checks passwords. The digest that clients send (32 hexadecimal digits) is the password itself; the letter
 * case of the digits makes no difference.
 */
export class Passwords {
  private readonly gate = new FairSemaphore<string>({
    atOnce: AT_ONCE,
    waitingPerTenant: MAY_WAIT,
    waiting: MAY_WAIT_IN_ALL,
  });

  /** The argon2id hash that is stored. */
  hash(digest: string): Promise<string> {
    return this.gate.run(SETTING, () => hash(digest.toLowerCase(), COST));
  }

  /**
   * True if the password has this hash. Without a hash (no such user) the answer is false, after the same time. TooMany
   * if too many checks for the address wait.
   */
  matches(storedHash: string | undefined, digest: string, { address, admit }: Check): Promise<boolean> {
    return this.gate.run(address, async () => {
      await admit();
      const matches = await verify(storedHash ?? DECOY_HASH, digest.toLowerCase());
      return storedHash !== undefined && matches;
    });
  }
}
