import type { Clock } from '../../platform/clock';
import { OAuth1Refused } from '../../platform/errors';
import type { Problem } from '../../platform/oauth1/problem';
import type { ClientSecrets } from './client-secrets';
import { type ProtocolParameters, readProtocolParameters } from './oauth1/protocol-parameters';
import { isSigned, type SigningSecrets } from './oauth1/signature';
import {
  type ArrivedRequest,
  type CollectedParameters,
  collectParameters,
  signedCandidates,
} from './oauth1/signed-request';
import type { OAuth1Nonces } from './oauth1-nonces';

export interface ReadRequest {
  arrived: ArrivedRequest;
  collected: CollectedParameters;
  parameters: ProtocolParameters;
  /** The network counts for rate limits. */
  network: string;
}

export class SignedRequests {
  constructor(
    private readonly clientSecrets: Pick<ClientSecrets, 'admit' | 'refuse'>,
    private readonly nonces: OAuth1Nonces,
    private readonly clock: Clock,
  ) {}

  /** Throws OAuth1Refused for an incomplete request or a wrong timestamp. */
  read(arrived: ArrivedRequest, network: string): ReadRequest {
    const collected = collectParameters(arrived);
    if (!collected) throw refusal('parameter_rejected', 'the header Authorization cannot be read');
    const read = readProtocolParameters(collected.all, this.clock.now());
    if (!read.ok) throw new OAuth1Refused(read.problem);
    return { arrived, collected, parameters: read.value, network };
  }

  async check(request: ReadRequest, secrets: SigningSecrets): Promise<void> {
    if (!this.isSigned(request, secrets)) {
      throw await this.refuse(request, 'signature_invalid', 'oauth_signature is not the signature of this request');
    }
    if (!(await this.nonces.use(request.parameters))) {
      throw refusal('nonce_used', 'oauth_nonce was used before: make a new one for every request');
    }
  }

  /** The nonce may have been used. */
  isSigned({ arrived, collected, parameters }: ReadRequest, secrets: SigningSecrets): boolean {
    const candidates = signedCandidates(arrived, collected);
    return isSigned(candidates, parameters.signature, parameters.signatureMethod, secrets);
  }

  /** Counts a probable guess, and returns the error to throw. Throws TooMany itself. */
  async refuse({ parameters, network }: ReadRequest, name: Problem['name'], advice: string): Promise<OAuth1Refused> {
    await this.clientSecrets.admit(parameters.consumerKey, network);
    await this.clientSecrets.refuse(parameters.consumerKey, network);
    return refusal(name, advice);
  }
}

export function refusal(name: Problem['name'], advice: string, more?: Problem['more']): OAuth1Refused {
  return new OAuth1Refused({ name, advice, more });
}
