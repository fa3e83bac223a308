/** The data points of sensors. */
export const pointTables: Readonly<Record<string, string>> = {
  // No foreign key to sensors: a sensor with millions of points is deleted at once, and the purge deletes its points.
  // `delay_s` is the time from the date of a point to its arrival. `below_ns` are the nanoseconds from the date to the
  // time that the sender gave.
  data_points: `
    sensor_id BIGINT UNSIGNED NOT NULL,
    date_ms BIGINT NOT NULL,
    value TEXT NOT NULL,
    delay_s INT NOT NULL,
    below_ns BIGINT NULL,
    PRIMARY KEY (sensor_id, date_ms)`,
  // Old points, some hundred of a sensor in one row (decision 93). Chunks of a sensor do not overlap. The key has the
  // date of the last point, so that a range of the newest dates meets no other chunks. If all values are numbers,
  // `low`, `high` and `total` are the lowest, the highest and the sum.
  data_chunks: `
    sensor_id BIGINT UNSIGNED NOT NULL,
    last_ms BIGINT NOT NULL,
    first_ms BIGINT NOT NULL,
    points INT UNSIGNED NOT NULL,
    low DOUBLE NULL,
    high DOUBLE NULL,
    total DOUBLE NULL,
    codec TINYINT UNSIGNED NOT NULL,
    body MEDIUMBLOB NOT NULL,
    PRIMARY KEY (sensor_id, last_ms)`,
  // The latest date that the server gave to a point of a sensor, and to how many points in that transaction.
  server_dates: `
    sensor_id INT UNSIGNED NOT NULL,
    last_ms BIGINT UNSIGNED NOT NULL,
    points INT UNSIGNED NOT NULL,
    PRIMARY KEY (sensor_id)`,
};
