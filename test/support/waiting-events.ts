import assert from 'node:assert/strict';
import { buildNotification } from './factories';
import type { Platform, TestUser } from './platform';

const NAME = 'update_sensor';
/** Ids that no registration gives. */
const FIRST_ID = 100_000;

/** Users as rows only, each with an event notification for what they cause themselves. */
export class Causers {
  private constructor(
    private readonly platform: Platform,
    readonly ids: readonly number[],
  ) {}

  /** `user` lends them a notification. */
  static async insert(platform: Platform, user: TestUser, count: number): Promise<Causers> {
    const notificationId = await buildNotification(user, { text: '$subject_id' });
    const ids = Array.from({ length: count }, (_, index) => FIRST_ID + index);
    await platform.query('DELETE FROM users WHERE id >= ?', [FIRST_ID]);
    await platform.query('DELETE FROM event_notifications WHERE owner_id >= ?', [FIRST_ID]);
    await platform.query(
      'INSERT INTO users (id, uuid, username, username_key, username_looks, email, password_hash, created_ms) VALUES ?',
      [ids.map((id) => [id, `uuid-${id}`, `causer-${id}`, `causer-${id}`, `causer-${id}`, 'a@example.org', '', 1])],
    );
    await platform.query('INSERT INTO event_notifications (owner_id, event, notification_id, created_ms) VALUES ?', [
      ids.map((id) => [id, NAME, notificationId, 1]),
    ]);
    return new Causers(platform, ids);
  }

  /** `count` events of each of these users, interleaved; the first of a user has the subject 1. */
  async raise(each: number, ids: readonly number[] = this.ids): Promise<void> {
    const rows = Array.from({ length: each }, (_, index) =>
      ids.map((id) => [NAME, index + 1, id, `[${id}]`, 1]),
    ).flat();
    await this.platform.query('INSERT INTO events (name, subject_id, user_id, audience, created_ms) VALUES ?', [rows]);
  }

  /** The id of the oldest event of each of these users. */
  async oldest(ids: readonly number[]): Promise<number[]> {
    const rows = await this.platform.query('SELECT MIN(id) AS id FROM events WHERE user_id IN (?) GROUP BY user_id', [
      ids,
    ]);
    return rows.map(({ id }) => Number(id));
  }

  /** The subjects of what these users got, in the order in which it was written. */
  async received(): Promise<Map<number, number[]>> {
    const rows = await this.platform.query(
      'SELECT owner_id AS id, subject_id AS subjectId FROM deliveries ORDER BY deliveries.id',
    );
    const received = new Map<number, number[]>(this.ids.map((id) => [id, []]));
    for (const { id, subjectId } of rows) received.get(Number(id))?.push(Number(subjectId));
    return received;
  }

  /** Fails unless each of these users, all by default, got each of so many events once and in order, and the others nothing. */
  async assertReceived(each: number, ids: readonly number[] = this.ids): Promise<void> {
    const all = Array.from({ length: each }, (_, index) => index + 1);
    for (const [id, subjects] of await this.received()) {
      assert.deepEqual(subjects, ids.includes(id) ? all : [], `user ${id}`);
    }
  }
}
