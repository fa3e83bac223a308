/** Selects a DOUBLE as text: as a number, mysql2 reads some doubles of 16 digits as the adjacent double. */
export function doubleColumn(name: string, sql = name): string {
  return `CAST(${sql} AS CHAR) AS ${name}`;
}
