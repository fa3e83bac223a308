import type { RowDataPacket } from 'mysql2/promise';
import type { Identity } from '../platform/caller';
import type { Reader } from '../storage/read-pool';

export interface Changer extends Pick<Identity, 'userId' | 'credential'> {
  ruleSet?: string;
}

/** As records name it. */
export interface Author {
  userId: number;
  /** The name of the rule set, key or application, or `session`. */
  by: string;
}

export async function findAuthor(reads: Reader, { userId, credential, ruleSet }: Changer): Promise<Author> {
  if (ruleSet !== undefined) return { userId, by: ruleSet };
  if (credential.kind === 'session') return { userId, by: 'session' };
  const [sql, id] =
    credential.kind === 'key'
      ? ['SELECT name FROM api_keys WHERE id = ?', credential.id]
      : ['SELECT name FROM applications WHERE id = ?', credential.applicationId ?? 0];
  const [[named]] = await reads.query<RowDataPacket[]>(sql, [id]);
  return { userId, by: String(named?.name ?? credential.kind) };
}
