/** Returns how many turns of the event loop the work took. Work that leaves the loop to others takes many. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let counting: NodeJS.Immediate;
  const count = (): void => {
    turns += 1;
    counting = setImmediate(count);
  };
  counting = setImmediate(count);
  try {
    await work();
    return turns;
  } finally {
    clearImmediate(counting);
  }
}
