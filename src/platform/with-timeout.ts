/** Throws the error after `ms`. The work itself continues, and its result is dropped. */
export async function withTimeout<T>(
  ms: number,
  work: Promise<T>,
  error: () => Error = () => new Error('no result in time'),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(error()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
