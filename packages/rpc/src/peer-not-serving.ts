/** Thrown for a peer that is reachable but accepts no calls. */
export class PeerNotServing extends Error {
  override readonly name = 'PeerNotServing';

  /** @param healthReason why, in words that may be shown to anyone */
  constructor(readonly healthReason: string) {
    super(healthReason);
  }
}
