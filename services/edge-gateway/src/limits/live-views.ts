import { AppError } from '@tollgate/errors';

/** Each view asks the database once a second. */
const VIEWS_PER_ACCOUNT_MAX = 10;

/** Bounds the live views that one account has open in this process. */
export class LiveViews {
  readonly #open = new Map<string, number>();

  /** Returns the function that closes the view. @throws AppError SERVICE_UNAVAILABLE when too many are open */
  open(accountId: string): () => void {
    const count = this.#open.get(accountId) ?? 0;
    if (count >= VIEWS_PER_ACCOUNT_MAX) {
      throw new AppError('SERVICE_UNAVAILABLE', `the account has ${VIEWS_PER_ACCOUNT_MAX} live views open; close one`);
    }
    this.#open.set(accountId, count + 1);
    return () => this.#close(accountId);
  }

  #close(accountId: string): void {
    const left = (this.#open.get(accountId) ?? 0) - 1;
    if (left > 0) this.#open.set(accountId, left);
    else this.#open.delete(accountId);
  }
}
