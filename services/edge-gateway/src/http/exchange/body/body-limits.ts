const KIB = 1024;
const MIB = 1024 * KIB;

/** The largest body of each class of routes, in bytes. */
export const BODY_BYTES_MAX = {
  /** Prompts with files, recordings, batches. */
  generating: 32 * MIB,
  /** Runs, agents, sessions and compile. */
  documents: 8 * MIB,
  standard: MIB,
  /** Routes without a credential. */
  open: 64 * KIB,
} as const;

export type BodyClass = keyof typeof BODY_BYTES_MAX;

/** The part of a route that decides the size of its body. */
interface RouteWithBody {
  auth: readonly string[] | 'none';
  bodyClass?: BodyClass;
}

/** Returns the class that the route declares, else `standard`, or `open` where no credential is needed. */
export function chooseBodyClass({ auth, bodyClass }: RouteWithBody): BodyClass {
  return bodyClass ?? (auth === 'none' ? 'open' : 'standard');
}
