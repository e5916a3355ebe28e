import { createHash } from 'node:crypto';
import type { McpCaller } from './mcp-caller.js';

/** What every provider of models accepts as the name of a function. */
const ACCEPTED = /^[\w-]{1,64}$/;
const CHARS_MAX = 64;
const DIGEST = /_[\da-f]{8}$/;

const AGENTS_PER_PAGE = 200;
const PAGES_MAX = 50;

/**
 * Returns the name of an agent's tool: its slug, or a cut one with a digest if a provider would refuse the slug. A slug that looks
 * like such a name gets a digest, too, so that no two names are equal.
 */
export function toToolName(slug: string): string {
  if (ACCEPTED.test(slug) && !DIGEST.test(slug)) return slug;
  const digest = createHash('sha256').update(slug).digest('hex').slice(0, 8);
  return `${slug.replace(/[^\w-]/g, '_').slice(0, CHARS_MAX - digest.length - 1)}_${digest}`;
}

/** Returns the slug of the agent whose tool has the name. A name that is no cut one is the slug, also of no agent. */
export async function toSlug({ ctx, call }: Pick<McpCaller, 'ctx' | 'call'>, name: string): Promise<string> {
  if (!ACCEPTED.test(name) || !DIGEST.test(name)) return name;
  let afterSlug = '';
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const listed = await ctx.clients.agents.listRunnableAgents({ limit: AGENTS_PER_PAGE, afterSlug }, call);
    const named = listed.agents.find(({ slug }) => toToolName(slug) === name);
    if (named) return named.slug;
    const last = listed.agents.at(-1);
    if (!listed.hasMore || !last) break;
    afterSlug = last.slug;
  }
  return name;
}
