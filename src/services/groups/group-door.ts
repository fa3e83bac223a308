import type { Caller } from '../../caller';
import { Forbidden } from '../../errors';
import type { UserGroup } from '../../models/user-group.model';
import type { RefusedLogins } from '../../redis/refused-logins';
import type { Passwords } from '../accounts/passwords';

/** Lets users with the access password into private groups, and stops who guesses it. */
export class GroupDoor {
  constructor(
    private readonly passwords: Passwords,
    private readonly refused: RefusedLogins,
  ) {}

  /** Forbidden unless this is the access password of the group; TooMany after many wrong ones. */
  async check(caller: Caller, group: UserGroup, digest: string): Promise<void> {
    // Counted like refused logins, under a name that no user can have.
    const name = `group\0${group.id}\0${caller.userId}`;
    await this.refused.check(name, caller.address);
    if (await this.passwords.matches(group.accessPasswordHash ?? undefined, digest)) return;
    await this.refused.count(name, caller.address);
    throw new Forbidden('the access password is wrong');
  }
}
