/** Returns the path of a model's method. The model's name is escaped to one segment. */
export function modelPath(upstreamModel: string, method: string): string {
  return `/models/${encodeURIComponent(upstreamModel)}:${method}`;
}
