import { randomBytes } from 'node:crypto';
import type { ChannelType } from '../channels';
import type { RunSql } from '../database/transaction';
import { addressKey } from '../domain/mail-address';

/** What the address of a mail has decided about the mails of one user. */
export interface MailRecipient {
  id: number;
  ownerId: number;
  /** As `addressKey` has it. */
  address: string;
  secret: string;
  /** Since when mails are allowed; null before that. */
  confirmedMs: number | null;
  /** Since when no mails are wanted, which is stronger; else null. */
  unsubscribedMs: number | null;
  /** How many times it was asked to confirm. */
  asked: number;
}

/** Whether users must not get mails before their address has confirmed, or are all trusted. */
export type MailConfirmation = 'required' | 'off';

const COLUMNS = `id, owner_id AS ownerId, address, secret, confirmed_ms AS confirmedMs, unsubscribed_ms AS unsubscribedMs, asked`;

/** Whether a channel sends mails, whose recipients are asked first. */
export function isMail(type: string): boolean {
  return type === ('email' satisfies ChannelType);
}

/** The recipient of a user's mails to this address, if it is known. */
export async function findRecipient(run: RunSql, ownerId: number, address: string): Promise<MailRecipient | undefined> {
  const values = [ownerId, addressKey(address)];
  return one(await run(`SELECT ${COLUMNS} FROM mail_recipients WHERE owner_id = ? AND address = ?`, values));
}

/** A recipient by its id. */
export async function findRecipientById(run: RunSql, id: number): Promise<MailRecipient | undefined> {
  return one(await run(`SELECT ${COLUMNS} FROM mail_recipients WHERE id = ?`, [id]));
}

/** Locks a recipient by its id until the end of the transaction. */
export async function lockRecipient(run: RunSql, id: number): Promise<MailRecipient | undefined> {
  return one(await run(`SELECT ${COLUMNS} FROM mail_recipients WHERE id = ? FOR UPDATE`, [id]));
}

/**
 * Locks the recipient of a user's mails to this address until the end of the transaction. One that is not known yet is added,
 * as confirmed since `confirmedMs`.
 */
export async function knowRecipient(
  run: RunSql,
  { ownerId, address, confirmedMs }: { ownerId: number; address: string; confirmedMs: number | null },
  nowMs: number,
): Promise<MailRecipient> {
  const key = addressKey(address);
  await run(
    `INSERT INTO mail_recipients (owner_id, address, secret, confirmed_ms, created_ms) VALUES (?, ?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE asked = asked`,
    [ownerId, key, randomBytes(32).toString('hex'), confirmedMs, nowMs],
  );
  const found = one(
    await run(`SELECT ${COLUMNS} FROM mail_recipients WHERE owner_id = ? AND address = ? FOR UPDATE`, [ownerId, key]),
  );
  if (!found) throw new Error(`the recipient that was added for user ${ownerId} is gone`);
  return found;
}

/** Why a recipient must not get a mail, or null when they may. */
export function whyNotMailed(
  recipient: Pick<MailRecipient, 'confirmedMs' | 'unsubscribedMs'>,
  confirmation: MailConfirmation,
): string | null {
  if (recipient.unsubscribedMs !== null) return 'the recipient has unsubscribed from your mails';
  if (confirmation === 'off' || recipient.confirmedMs !== null) return null;
  return 'the recipient has not confirmed the address yet';
}

function one(rows: readonly Record<string, unknown>[]): MailRecipient | undefined {
  return rows[0] as MailRecipient | undefined; // the columns that were selected
}
