import type { RowDataPacket } from 'mysql2/promise';
import type { Identity } from '../platform/caller';
import type { Reader } from '../storage/read-pool';

/** Who makes a change, as its record names them. */
export interface Author {
  userId: number;
  /** `session`, or the name of the key or of the application. */
  by: string;
}

export async function findAuthor(
  reads: Reader,
  { userId, credential }: Pick<Identity, 'userId' | 'credential'>,
): Promise<Author> {
  if (credential.kind === 'session') return { userId, by: 'session' };
  const [sql, id] =
    credential.kind === 'key'
      ? ['SELECT name FROM api_keys WHERE id = ?', credential.id]
      : ['SELECT name FROM applications WHERE id = ?', credential.applicationId ?? 0];
  const [[named]] = await reads.query<RowDataPacket[]>(sql, [id]);
  return { userId, by: String(named?.name ?? credential.kind) };
}
