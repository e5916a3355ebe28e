export interface AgentReference {
  slug: string;
  /** undefined = current */
  revision: number | undefined;
}

const form = /^([A-Za-z0-9][A-Za-z0-9._-]{0,127})(?:@([1-9][0-9]{0,9}))?$/;
const REVISION_MAX = 2_147_483_647;

/** Reads `slug` or `slug@revision`; undefined = neither. */
export function parseAgentReference(text: string): AgentReference | undefined {
  const match = form.exec(text);
  if (!match?.[1]) return undefined;
  const revision = match[2] === undefined ? undefined : Number(match[2]);
  if (revision !== undefined && revision > REVISION_MAX) return undefined;
  return { slug: match[1], revision };
}
