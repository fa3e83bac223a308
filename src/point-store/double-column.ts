/** A DOUBLE of a statement, as text: the driver reads some of 16 digits as their neighbour. */
export function doubleColumn(name: string, sql = name): string {
  return `CAST(${sql} AS CHAR) AS ${name}`;
}
