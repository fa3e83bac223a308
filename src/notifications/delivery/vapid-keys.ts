import type { Pool, RowDataPacket } from 'mysql2/promise';
import { generateVAPIDKeys } from 'web-push';
import type { Clock } from '../../platform/clock';
import type { SecretBox } from '../../platform/secret-box';

/** Signs requests to push services (RFC 8292). Keys are base64url. */
export interface VapidPair {
  publicKey: string;
  privateKey: string;
}

interface StoredPair extends RowDataPacket {
  publicKey: string;
  /** Encrypted. */
  privateKey: string;
}

const ROW_ID = 1;

/** Browsers bind their subscriptions to the public key, so it never changes. */
export class VapidKeys {
  private stored: StoredPair | undefined;
  private opened: VapidPair | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** The application server key of browsers. */
  async publicKey(): Promise<string> {
    return (await this.read()).publicKey;
  }

  /** Throws if SECRETS_KEY was replaced. */
  async pair(): Promise<VapidPair> {
    if (!this.opened) {
      const { publicKey, privateKey } = await this.read();
      this.opened = { publicKey, privateKey: this.secrets.open(privateKey, ownerOf(publicKey)) };
    }
    return this.opened;
  }

  private async read(): Promise<StoredPair> {
    this.stored ??= (await this.find()) ?? (await this.create());
    return this.stored;
  }

  private async find(): Promise<StoredPair | undefined> {
    const [[row]] = await this.pool.query<StoredPair[]>(
      'SELECT public_key AS publicKey, private_key AS privateKey FROM vapid_keys WHERE id = ?',
      [ROW_ID],
    );
    return row;
  }

  /** Several processes may try: one inserts, all use its row. */
  private async create(): Promise<StoredPair> {
    const { publicKey, privateKey } = generateVAPIDKeys();
    await this.pool.query(
      'INSERT IGNORE INTO vapid_keys (id, public_key, private_key, created_ms) VALUES (?, ?, ?, ?)',
      [ROW_ID, publicKey, this.secrets.seal(privateKey, ownerOf(publicKey)), this.clock.now()],
    );
    const row = await this.find();
    if (!row) throw new Error('the VAPID keys were not stored');
    return row;
  }
}

function ownerOf(publicKey: string): string {
  return `vapid ${publicKey}`;
}
