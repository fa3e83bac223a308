import { hash, verify } from '@node-rs/argon2';
import { FairSemaphore } from '../../fairness/fair-semaphore';

/** argon2id as OWASP recommends for interactive logins: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** No password matches. Checking takes as long as with a real hash. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$nCVwDXGchgUbgWISTc9BWg$MeL2wiopeOo/vorp32W5gOOO65FPv2sKdQmZw7KECck';

/**
 * Passwords hashed at the same time. Each uses a core, and one of Node's four threads, which also compress and look
 * names up.
 */
const AT_ONCE = 2;
const MAY_WAIT = 100;
const MAY_WAIT_IN_ALL = 500;
const SETTING = 'setting';

export interface Check {
  address: string;
  /** Called before the hash is computed; if it throws, the password is not checked. */
  admit: () => Promise<void>;
}

/** The client's digest (32 hexadecimal digits in any letter case) is the password itself. */
export class Passwords {
  private readonly gate = new FairSemaphore<string>({
    atOnce: AT_ONCE,
    waitingPerTenant: MAY_WAIT,
    waiting: MAY_WAIT_IN_ALL,
  });

  hash(digest: string): Promise<string> {
    return this.gate.run(SETTING, () => hash(digest.toLowerCase(), COST));
  }

  /** Without a hash false, after the same time. Throws TooMany if too many checks of the address wait. */
  matches(storedHash: string | undefined, digest: string, { address, admit }: Check): Promise<boolean> {
    return this.gate.run(address, async () => {
      await admit();
      const matches = await verify(storedHash ?? DECOY_HASH, digest.toLowerCase());
      return storedHash !== undefined && matches;
    });
  }
}
