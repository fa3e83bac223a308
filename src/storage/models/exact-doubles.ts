import type { ConnectionOptions } from 'mysql2';

/**
 * Reads each DOUBLE as the number that its text says: the driver reads some of 16 digits as their neighbour. For the
 * models alone: it is called for each value of a row.
 */
export const exactDoubles: Exclude<ConnectionOptions['typeCast'], boolean | undefined> = (field, next) => {
  if (field.type !== 'DOUBLE') return next();
  const text = field.string();
  return text === null ? null : Number(text);
};
