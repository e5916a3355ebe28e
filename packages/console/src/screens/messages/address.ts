const AGENT = /^agent:(.+)@[\da-f-]{36}$/;

/** `agent:helper@<project id>` as `helper`; a run with the first characters of its id. */
export function describeAddress(address: string): string {
  const slug = AGENT.exec(address)?.[1];
  return slug ?? address.replace(/^run:(.{8}).*$/, 'run $1');
}

/** The full address for what a person types: a slug, the id of a run, or an address. */
export function toAddress(text: string, projectId: string): string {
  const typed = text.trim();
  if (typed === '' || typed.includes(':')) return typed;
  const isRun = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(typed);
  return isRun ? `run:${typed}` : `agent:${typed}@${projectId}`;
}
