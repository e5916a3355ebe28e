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
    const difference = Number(isParameter(left[i]!)) - Number(isParameter(right[i]!));
    if (difference !== 0) return difference;
  }
  return 0;
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':') || segment.startsWith('*');
}
