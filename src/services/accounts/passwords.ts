import { hash, verify } from '@node-rs/argon2';

/** argon2id, as OWASP recommends for interactive logins: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash that no password matches: checking against it takes as long as checking a real one. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$nCVwDXGchgUbgWISTc9BWg$MeL2wiopeOo/vorp32W5gOOO65FPv2sKdQmZw7KECck';

/**
 * Hashes and checks passwords. What clients send (32 hexadecimal digits) is the password itself; the letter case of the
 * digits makes no difference.
 */
export class Passwords {
  /** The argon2id hash that is stored. */
  hash(digest: string): Promise<string> {
    return hash(digest.toLowerCase(), COST);
  }

  /** Whether the password has this hash. Without a hash (no such user) the answer is no, after the same time. */
  async matches(storedHash: string | undefined, digest: string): Promise<boolean> {
    const matches = await verify(storedHash ?? DECOY_HASH, digest.toLowerCase());
    return storedHash !== undefined && matches;
  }
}
