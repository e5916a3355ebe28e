/** An item of a subscription at the processor. */
export interface SubscriptionItem {
  id: string;
  priceId: string;
  createdMs: number;
}

/** The last known state of a subscription. The item and its price are unknown if an earlier version has seen it. */
export interface KnownPlan {
  tierId: string;
  itemId: string | null;
  priceId: string | null;
}

export interface PlanChoice {
  item: SubscriptionItem;
  /** Undefined if no tier has the price and none is named. */
  tierId: string | undefined;
}

/**
 * Finds the item of a subscription that is the plan, and the plan's tier. A subscription can have other items: their price is
 * no tier's. An item that keeps a price which its tier no longer has is still the plan.
 *
 * @param tiers the project's tiers that have the price of an item
 * @param namedTierId the tier in the subscription's metadata, which a change at the processor leaves as it was
 */
export function choosePlanItem(
  items: readonly SubscriptionItem[],
  tiers: readonly { id: string; priceId: string }[],
  { namedTierId, known }: { namedTierId: string | undefined; known: KnownPlan | undefined },
): PlanChoice | undefined {
  const toTiers = (item: SubscriptionItem) =>
    tiers.flatMap(({ id, priceId }) => (priceId === item.priceId ? [id] : []));
  const knownItem = items.find(({ id }) => id === known?.itemId);
  const isUnchanged = knownItem !== undefined && knownItem.priceId === known?.priceId;
  const priced = items.filter((item) => toTiers(item).length > 0);
  const preferred = [namedTierId, known?.tierId].flatMap((tierId) =>
    tierId === undefined ? [] : priced.filter((item) => toTiers(item).includes(tierId)),
  );
  const isPlan = knownItem && (isUnchanged || priced.includes(knownItem));
  const item = isPlan ? knownItem : (preferred[0] ?? priced[0] ?? knownItem ?? oldest(items));
  if (!item) return undefined;
  const fitting = toTiers(item);
  const fits = (tierId: string | undefined) => tierId !== undefined && fitting.includes(tierId);
  if (fits(namedTierId)) return { item, tierId: namedTierId };
  if (known && (fits(known.tierId) || (isUnchanged && item === knownItem))) return { item, tierId: known.tierId };
  return { item, tierId: fitting[0] ?? known?.tierId ?? namedTierId };
}

function oldest(items: readonly SubscriptionItem[]): SubscriptionItem | undefined {
  return [...items].sort((a, b) => a.createdMs - b.createdMs)[0];
}
