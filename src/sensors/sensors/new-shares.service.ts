import type { RowDataPacket } from 'mysql2/promise';
import type { Page, PageOf } from '../../edge/paging';
import type { Database } from '../../storage';
import { queryPage } from '../../storage/find-page';
import { SensorUser } from '../../storage/models/sensor-user.model';

/** A sensor that its owner shared with a user, who has not dismissed the notice. */
export interface NewShare {
  sensorId: number;
  name: string;
  displayName: string;
  /** Username of the owner. */
  username: string;
  createdMs: number;
}

const NEW_SHARES = 'FROM sensor_users x WHERE x.user_id = ? AND x.unseen = TRUE';

export class NewSharesService {
  constructor(private readonly database: Database) {}

  /** The newest first. */
  list(userId: number, page: Page): Promise<PageOf<NewShare>> {
    const text = `SELECT s.id, s.name, s.display_name AS displayName, o.username, n.created_ms AS createdMs
      FROM (SELECT x.sensor_id, x.created_ms ${NEW_SHARES} ORDER BY x.created_ms DESC, x.sensor_id DESC LIMIT ? OFFSET ?) n
      JOIN sensors s ON s.id = n.sensor_id JOIN users o ON o.id = s.owner_id ORDER BY n.created_ms DESC, n.sensor_id DESC`;
    return queryPage(
      this.database.pool,
      {
        page: { text, values: [userId, page.limit, page.offset] },
        count: page.withTotal ? { text: `SELECT COUNT(*) AS total ${NEW_SHARES}`, values: [userId] } : undefined,
      },
      toNewShare,
    );
  }

  /** Idempotent; ignores sensors that are not shared with the user. */
  async dismiss(userId: number, sensorIds: readonly number[]): Promise<void> {
    await SensorUser.update({ unseen: false }, { where: { userId, sensorId: [...sensorIds] } });
  }
}

function toNewShare({ id, name, displayName, username, createdMs }: RowDataPacket): NewShare {
  return { sensorId: Number(id), name, displayName, username, createdMs: Number(createdMs) };
}
