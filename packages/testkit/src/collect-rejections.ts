/**
 * Returns the error of each promise. Awaits all of them at once: a promise that rejects while another one is awaited would fail
 * the test as unhandled. @throws Error when a promise is fulfilled
 */
export async function collectRejections(attempts: readonly PromiseLike<unknown>[]): Promise<unknown[]> {
  const results = await Promise.allSettled(attempts);
  return results.map((result, i) => {
    if (result.status === 'rejected') return result.reason;
    throw new Error(`attempt ${i + 1} of ${results.length} was not rejected`);
  });
}
