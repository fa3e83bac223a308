import type { Identity } from '../../platform/caller';

export interface BearerKind {
  /** The form decides. The forms of two kinds never overlap. */
  recognises(token: string): boolean;
  /** Null if unknown or ended. Looked up each time, so that an ended token is refused at once. */
  find(token: string): Promise<Identity | null>;
  /** If the kind caches identities. May be stale. */
  lookUp?(token: string): Identity | undefined;
}

export class BearerTokens {
  constructor(private readonly kinds: readonly BearerKind[]) {}

  async find(token: string): Promise<Identity | null> {
    return this.kindOf(token)?.find(token) ?? null;
  }

  lookUp(token: string): Identity | undefined {
    return this.kindOf(token)?.lookUp?.(token);
  }

  private kindOf(token: string): BearerKind | undefined {
    return this.kinds.find((kind) => kind.recognises(token));
  }
}
