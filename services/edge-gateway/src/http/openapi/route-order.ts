const BASE = '/api/v1';
/** Routes that are not under the base. */
const AT_ROOT = /^\/($|v1\/|\.well-known\/|status$|docs(\/|$))/;

/** Returns a route's path from the host's root: under /api/v1 unless the route names a root of its own. */
export function hostPath(path: string): string {
  return AT_ROOT.test(path) ? path : `${BASE}${path}`;
}

/** Sorts literal segments before parameters, so that `/customers/me` never matches as a customer's id. */
export function bySpecificity(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = compareSegments(left[i]!, right[i]!);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Orders unrelated literals too: a sort needs a transitive order. */
function compareSegments(a: string, b: string): number {
  const difference = Number(isParameter(a)) - Number(isParameter(b));
  if (difference !== 0 || isParameter(a) || a === b) return difference;
  return a < b ? -1 : 1;
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':') || segment.startsWith('*');
}
