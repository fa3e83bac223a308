import { OAuth2Refused } from '../../platform/errors';
import type { Application } from '../../storage/models/application.model';
import type { ApplicationType } from './application';
import type { ClientSecrets } from './client-secrets';

export const GRANT_TYPES = ['authorization_code', 'refresh_token', 'client_credentials'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

export interface GivenClient {
  id: string;
  secret: string | undefined;
}

/** Applications as clients of OAuth 2. */
export class OAuth2Clients {
  constructor(private readonly secrets: ClientSecrets) {}

  /** Null unless it may send users to the consent page. */
  async find(id: string): Promise<Application | null> {
    const application = await this.secrets.find(id);
    return application && mayUse(application, 'authorization_code') ? application : null;
  }

  /** Without a user. Throws OAuth2Refused for a wrong or missing secret, TooMany after too many. */
  async authenticate({ id, secret }: GivenClient, network: string): Promise<Application> {
    const application =
      secret === undefined ? await this.findPublic(id) : await this.secrets.authenticate(id, secret, network);
    if (!application) throw new OAuth2Refused('invalid_client', 'the client id or the client secret is wrong');
    return application;
  }

  private async findPublic(id: string): Promise<Application | null> {
    const application = await this.secrets.find(id);
    return application && isPublic(application) ? application : null;
  }
}

/** True if the application's secret would be public, so that it needs PKCE. */
export function isPublic({ type }: Pick<Application, 'type'>): boolean {
  return type === 'browser' || type === 'native';
}

/** Services act for their owner, all others for users. */
export function mayUse({ type }: { type: ApplicationType | string }, grant: GrantType): boolean {
  return (grant === 'client_credentials') === (type === 'service');
}
