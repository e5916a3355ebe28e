/** Dependencies by node id, both ends known. */
export type Dependencies = ReadonlyMap<string, ReadonlySet<string>>;

/** The nodes that lie on, or can only be reached through, a cycle; empty when every node can run. In order of the map. */
export function unreachableByCycle(dependencies: Dependencies): string[] {
  const missing = new Map([...dependencies].map(([id, after]) => [id, after.size]));
  const followers = new Map<string, string[]>();
  for (const [id, after] of dependencies) {
    for (const upstream of after) followers.set(upstream, [...(followers.get(upstream) ?? []), id]);
  }
  const ready = [...missing].filter(([, count]) => count === 0).map(([id]) => id);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    missing.delete(id);
    for (const follower of followers.get(id) ?? []) {
      const left = (missing.get(follower) ?? 0) - 1;
      missing.set(follower, left);
      if (left === 0) ready.push(follower);
    }
  }
  return [...missing.keys()];
}
