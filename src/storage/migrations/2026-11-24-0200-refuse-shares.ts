import type { Migration } from './migration';

const TABLES: readonly (readonly [name: string, definition: string])[] = [
  [
    'user_blocks',
    `user_id BIGINT UNSIGNED NOT NULL,
     blocked_id BIGINT UNSIGNED NOT NULL,
     created_ms BIGINT NOT NULL,
     PRIMARY KEY (user_id, blocked_id), KEY user_blocks_blocked (blocked_id),
     CONSTRAINT user_blocks_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
     CONSTRAINT user_blocks_blocked_fk FOREIGN KEY (blocked_id) REFERENCES users (id) ON DELETE CASCADE`,
  ],
  [
    'refused_shares',
    `user_id BIGINT UNSIGNED NOT NULL,
     sensor_id BIGINT UNSIGNED NOT NULL,
     owner_id BIGINT UNSIGNED NOT NULL,
     created_ms BIGINT NOT NULL,
     PRIMARY KEY (user_id, sensor_id), KEY refused_shares_owner (user_id, owner_id), KEY refused_shares_sensor (sensor_id),
     CONSTRAINT refused_shares_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
     CONSTRAINT refused_shares_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE`,
  ],
];

/** Users refuse shares: all of a user whom they block, and those of sensors that they removed themselves from. */
export const refuseShares: Migration = {
  name: '2026-11-24-0200-refuse-shares',
  up: async (schema) => {
    for (const [name, definition] of TABLES) await schema.createTable(name, definition);
  },
  down: async (schema) => {
    for (const [name] of TABLES) await schema.dropTable(name);
  },
};
