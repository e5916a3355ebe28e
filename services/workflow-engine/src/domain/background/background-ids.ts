import { v5 } from 'uuid';

/** Returns the hold of one attempt, which any process derives. The edge holds the funds of the first one. */
export function backgroundHoldId(id: string, attempt: number): string {
  return attempt === 1 ? id : v5(`hold/${attempt}`, id);
}
