/** A model's name is one segment of the path, whatever it contains. */
export function pathOf(upstreamModel: string, method: string): string {
  return `/models/${encodeURIComponent(upstreamModel)}:${method}`;
}
