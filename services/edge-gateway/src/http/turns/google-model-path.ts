const MODELS = '/v1beta/models/';

/** A path of Google's dialect that names a model and a method. */
export interface GooglePath {
  /** The route's path, such as `/v1beta/models/:model:generateContent`. */
  pattern: string;
  model: string;
}

/** Reads `/v1beta/models/MODEL:METHOD`; undefined for any other path. A model's name may contain colons and an encoded slash. */
export function readGooglePath(path: string): GooglePath | undefined {
  if (!path.startsWith(MODELS)) return undefined;
  const colon = path.lastIndexOf(':');
  if (colon <= MODELS.length) return undefined;
  const model = decode(path.slice(MODELS.length, colon));
  return model === undefined ? undefined : { pattern: `${MODELS}:model${path.slice(colon)}`, model };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
