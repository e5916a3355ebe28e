/** A source of the answer, as in the contract. */
export interface Citation {
  title: string;
  url: string;
}
