/** A session as the stop of the process sees it. */
export interface OpenSession {
  /** Lets the running response finish, then closes. */
  drain(): void;
}
