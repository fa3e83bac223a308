import { createHash, timingSafeEqual } from 'node:crypto';
import type { Quota } from '../../fairness/quota';
import { Forbidden, TooMany } from '../../platform/errors';

export interface RegistrationPolicy {
  registration: 'open' | 'closed' | 'invite';
  registrationCode?: string | undefined;
}

/** Registrations are limited by network: each costs a password hash, and maybe a mail. */
export class RegistrationGate {
  constructor(
    private readonly policy: RegistrationPolicy,
    private readonly perNetwork: Quota,
  ) {}

  async enter(network: string, invitation: string | undefined): Promise<void> {
    const { registration, registrationCode } = this.policy;
    if (registration === 'closed') throw new Forbidden('this platform takes no registrations', 'registration_closed');
    const allowance = await this.perNetwork.charge(network);
    if (allowance?.exceeded) throw new TooMany('too many registrations; try again later', allowance.resetSeconds);
    if (registration === 'invite' && !equals(invitation ?? '', registrationCode ?? '')) {
      throw new Forbidden('registering requires a valid invitation', 'registration_closed');
    }
  }
}

function equals(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
