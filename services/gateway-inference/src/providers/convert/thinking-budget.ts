/** A budget of thinking as far as it leaves half of the output bound for the answer. */
export function thinkingBudget(wanted: number, outputBound: number): number {
  return Math.min(wanted, Math.floor(outputBound / 2));
}
