import { TooMany, Unavailable } from '../../errors';

/** Unpacked bodies of one user that are held at the same time, until their requests are answered. */
export const MAX_BYTES_OF_USER = 32 * 1024 * 1024;
/** The same for all users of this process. */
export const MAX_BYTES_OF_ALL = 128 * 1024 * 1024;

/** The memory that large bodies hold, charged to their users before it is used. */
export class BodyBudget {
  private held = 0;
  private readonly users = new Map<number, number>();

  /** Charges a user; throws TooMany when it is more than their part, and Unavailable when all together hold too much. */
  charge(userId: number, bytes: number): void {
    const ofUser = (this.users.get(userId) ?? 0) + bytes;
    if (ofUser > MAX_BYTES_OF_USER) throw new TooMany('too many of your large bodies are being uploaded', 1);
    if (this.held + bytes > MAX_BYTES_OF_ALL) throw new Unavailable('too much is being uploaded at the moment', 1);
    this.users.set(userId, ofUser);
    this.held += bytes;
  }

  release(userId: number, bytes: number): void {
    this.held -= bytes;
    const ofUser = (this.users.get(userId) ?? 0) - bytes;
    if (ofUser > 0) this.users.set(userId, ofUser);
    else this.users.delete(userId);
  }
}
