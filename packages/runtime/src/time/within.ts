/** The result of {@link within} when the time is up. */
export const LATE = Symbol('late');

/** Resolves like the promise, or with {@link LATE} when it takes longer than `ms`. The promise continues unobserved. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
