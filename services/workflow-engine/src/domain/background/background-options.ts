/** How a background request is sent, and how its answer is stored. */
export interface BackgroundOptions {
  previousKey: string;
  historyItems: number;
  conversationKey: string;
  usesCache: boolean;
  betas: readonly string[];
}
