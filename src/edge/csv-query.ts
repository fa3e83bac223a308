/** Format of dates. */
export type DateFormat = 'unix' | 'iso' | 'local';

/** The separator of CSV cells, by name. */
export type CsvSeparator = 'comma' | 'semicolon';

/** The format of lines. */
export interface CsvQuery {
  /**
   * How CSV and NDJSON show dates: `unix` seconds, which is the default, `iso` for ISO 8601, or `local` for `2026-11-20
   * 12:29:02` in `timezone`, which spreadsheets read as a date. With `local` the headings of dates name the zone.
   * @example "unix"
   */
  dates?: DateFormat;
  /**
   * Whether CSV begins with a byte order mark, which some spreadsheets need.
   * @example false
   */
  bom?: boolean;
  /**
   * The separator of CSV cells: `comma`, which is the default, or `semicolon`. With semicolons numbers have decimal
   * commas, as spreadsheets in many languages expect; dates do not change.
   * @example "comma"
   */
  separator?: CsvSeparator;
}

/** The format of lists that use no other time zone. */
export interface ZonedCsvQuery extends CsvQuery {
  /**
   * With `dates=local`: the time zone, by its name in the IANA database; UTC by default.
   * @example "Europe/Amsterdam"
   */
  timezone?: string;
}
