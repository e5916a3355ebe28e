import { elapsed } from '@tollgate/runtime';

/** Waits until the condition holds. Fails with its description after the timeout. */
export async function until(description: string, holds: () => boolean, timeoutMs = 30_000): Promise<void> {
  const deadline = elapsed() + timeoutMs;
  while (!holds()) {
    if (elapsed() > deadline) throw new Error(`timed out waiting for: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
