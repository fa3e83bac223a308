import { md5 } from '@noble/hashes/legacy';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** The digest of a password for the API: MD5 in hexadecimal. Treat it like the password itself. */
export function passwordDigest(password: string): string {
  return bytesToHex(md5(utf8ToBytes(password)));
}
