/** A peer that answers and takes no calls at the moment. */
export class PeerNotServing extends Error {
  override readonly name = 'PeerNotServing';

  /** @param healthReason why, in words that may be shown to anyone */
  constructor(readonly healthReason: string) {
    super(healthReason);
  }
}
