/** Limits a thinking budget so that half of the output bound is left for the answer. */
export function thinkingBudget(wanted: number, outputBound: number): number {
  return Math.min(wanted, Math.floor(outputBound / 2));
}
