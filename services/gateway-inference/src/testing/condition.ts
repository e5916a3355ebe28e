/** Waits until the condition holds; fails with its description when it never does. */
export async function until(description: string, holds: () => boolean, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`never came true: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
