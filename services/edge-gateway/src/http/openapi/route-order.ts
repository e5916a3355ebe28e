const BASE = '/api/v1';

/** A route's path at the host: relative to /api/v1 unless it names a root of its own. */
export function hostPath(path: string): string {
  return path.startsWith('/v1/') || path.startsWith('/.well-known/') ? path : `${BASE}${path}`;
}

/** Literal segments before parameters, so that `/customers/me` is never taken for a customer's id. */
export function bySpecificity(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = compareSegments(left[i]!, right[i]!);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Orders unrelated literals too: a sort needs an order in which being equal carries over. */
function compareSegments(a: string, b: string): number {
  const difference = Number(isParameter(a)) - Number(isParameter(b));
  if (difference !== 0 || isParameter(a) || a === b) return difference;
  return a < b ? -1 : 1;
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':') || segment.startsWith('*');
}
