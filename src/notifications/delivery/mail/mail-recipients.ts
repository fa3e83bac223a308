import { randomBytes } from 'node:crypto';
import { addressKey, mailboxKey } from '../../../edge/mail-address';
import type { RunSql } from '../../../storage/transaction';
import type { ChannelType } from '../channels';

/** The decisions of an address about the mails of one user. */
export interface MailRecipient {
  id: number;
  ownerId: number;
  /** Normalized by `addressKey`. */
  address: string;
  secret: string;
  /** Null before the recipient confirms. */
  confirmedMs: number | null;
  /** Overrides `confirmedMs`; null if not unsubscribed. */
  unsubscribedMs: number | null;
  /** Null unless the mailbox refuses mail of every account and has not confirmed this one later. */
  refusedMs: number | null;
  /** Requests to confirm so far. */
  asked: number;
}

/** With `off` all addresses are trusted. A refusal by the address always applies. */
export type MailConfirmation = 'required' | 'off';

const COLUMNS = `id, owner_id AS ownerId, address, secret, confirmed_ms AS confirmedMs, unsubscribed_ms AS unsubscribedMs, asked`;

/** Recipients of mails are asked first. */
export function isMail(type: string): boolean {
  return type === ('email' satisfies ChannelType);
}

export async function findRecipient(run: RunSql, ownerId: number, address: string): Promise<MailRecipient | undefined> {
  const [row] = await run(
    `SELECT ${COLUMNS}, (SELECT refused_ms FROM refused_mailboxes WHERE mailbox = ?) AS refusedMs
     FROM mail_recipients WHERE owner_id = ? AND address = ?`,
    [mailboxKey(address), ownerId, addressKey(address)],
  );
  return row as MailRecipient | undefined; // the selected columns
}

export function findRecipientById(run: RunSql, id: number): Promise<MailRecipient | undefined> {
  return readRecipient(run, 'id = ?', [id]);
}

export function lockRecipient(run: RunSql, id: number): Promise<MailRecipient | undefined> {
  return readRecipient(run, 'id = ? FOR UPDATE', [id]);
}

/**
 * Locks the recipient until the end of the transaction. Adds an unknown one, as confirmed since `confirmedMs` unless
 * its mailbox refuses mail of every account.
 */
export async function knowRecipient(
  run: RunSql,
  { ownerId, address, confirmedMs }: { ownerId: number; address: string; confirmedMs: number | null },
  nowMs: number,
): Promise<MailRecipient> {
  const key = addressKey(address);
  const confirmed = (await findRefusal(run, address)) === null ? confirmedMs : null;
  await run(
    `INSERT INTO mail_recipients (owner_id, address, secret, confirmed_ms, created_ms) VALUES (?, ?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE asked = asked`,
    [ownerId, key, randomBytes(32).toString('hex'), confirmed, nowMs],
  );
  const found = await readRecipient(run, 'owner_id = ? AND address = ? FOR UPDATE', [ownerId, key]);
  if (!found) throw new Error(`the recipient that was added for user ${ownerId} is gone`);
  return found;
}

/** Null if the recipient may get a mail. */
export function whyNotMailed(
  recipient: Pick<MailRecipient, 'confirmedMs' | 'unsubscribedMs' | 'refusedMs'>,
  confirmation: MailConfirmation,
): string | null {
  if (recipient.unsubscribedMs !== null) return 'the recipient has unsubscribed from your mails';
  if (isRefused(recipient)) return 'the recipient takes no mails of any account of this platform';
  if (confirmation === 'off' || recipient.confirmedMs !== null) return null;
  return 'the recipient has not confirmed the address yet';
}

export function isRefused({ confirmedMs, refusedMs }: Pick<MailRecipient, 'confirmedMs' | 'refusedMs'>): boolean {
  return refusedMs !== null && (confirmedMs === null || confirmedMs <= refusedMs);
}

/** The mailbox of the address refuses mail of every account from now on. */
export async function refuseMailbox(run: RunSql, address: string, nowMs: number): Promise<void> {
  await run(
    'INSERT INTO refused_mailboxes (mailbox, refused_ms) VALUES (?, ?) ON DUPLICATE KEY UPDATE refused_ms = VALUES(refused_ms)',
    [mailboxKey(address), nowMs],
  );
}

/** The mailbox's decisions about single accounts apply again. */
export async function acceptMailbox(run: RunSql, address: string): Promise<void> {
  await run('DELETE FROM refused_mailboxes WHERE mailbox = ?', [mailboxKey(address)]);
}

export async function findRefusedAddresses(run: RunSql, addresses: readonly string[]): Promise<string[]> {
  if (addresses.length === 0) return [];
  const keys = addresses.map(mailboxKey);
  const rows = await run('SELECT mailbox FROM refused_mailboxes WHERE mailbox IN (?)', [keys]);
  const refused = new Set(rows.map(({ mailbox }) => String(mailbox)));
  return addresses.filter((_, index) => refused.has(keys[index] ?? ''));
}

async function readRecipient(run: RunSql, condition: string, values: unknown[]): Promise<MailRecipient | undefined> {
  const [row] = await run(`SELECT ${COLUMNS} FROM mail_recipients WHERE ${condition}`, values);
  if (!row) return undefined;
  const found = row as unknown as Omit<MailRecipient, 'refusedMs'>; // the selected columns
  return { ...found, refusedMs: await findRefusal(run, found.address) };
}

async function findRefusal(run: RunSql, address: string): Promise<number | null> {
  const [row] = await run('SELECT refused_ms AS refusedMs FROM refused_mailboxes WHERE mailbox = ?', [
    mailboxKey(address),
  ]);
  return row ? Number(row.refusedMs) : null;
}
