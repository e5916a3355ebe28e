import { z } from 'zod';

/**
 * Parts of a request that only the dialect's own vendor reads. They cost the tokens of their JSON; the vendor gets them
 * unchanged, and other providers reject them by their type.
 */

const TYPE_CHARS_MAX = 256;
/** Nested values of one part. */
const MEMBERS_MAX = 100_000;

/** The type of a part that only the vendor reads. Never a real value: it lets the compiler tell such parts from others. */
export type VendorPartType = '(other)';

/** Members that refer to what is stored at the vendor, in an account that all clients share. */
const storedMembers = new Set(['file_id', 'file_ids', 'file_url', 'container_id', 'vector_store_ids']);

/** Returns the schema of parts whose type is none of `known`; `refused` has the reasons for types that are rejected. */
export function vendorPart(known: readonly string[], refused: Readonly<Record<string, string>>) {
  const isOther = (type: string): boolean => !known.includes(type) && !Object.hasOwn(refused, type);
  const type = z.string().min(1).max(TYPE_CHARS_MAX).refine(isOther, { abort: true });
  return z.looseObject({ type: type as unknown as z.ZodType<VendorPartType> }).refine(isSelfContained, { abort: true });
}

/** Returns the error of a union of known parts and `vendorPart`: why neither accepts a part. */
export function refusedPart(what: string, known: readonly string[], refused: Readonly<Record<string, string>>) {
  return ({ code, input }: { code?: string; input?: unknown }): string | undefined => {
    if (code !== 'invalid_union') return undefined;
    const type = (input as { type?: unknown } | null)?.type;
    if (typeof type !== 'string' || known.includes(type)) return `${what} of type ${String(type)}`;
    const reason = Object.hasOwn(refused, type)
      ? refused[type]
      : 'uploaded files cannot be referred to: send the data itself';
    return `${what} of type ${type}: ${reason}`;
  };
}

/** Counts the images by URL in the JSON of a part, whose size is unknown. */
export function countLinkedImages(json: string): number {
  return json.match(/"(?:image_)?url":"https?:/g)?.length ?? 0;
}

function isSelfContained(part: object): boolean {
  const open: unknown[] = [part];
  for (let seen = 0; open.length > 0; seen++) {
    if (seen === MEMBERS_MAX) return false;
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [member, inner] of Object.entries(value)) {
      if (storedMembers.has(member) && inner !== null) return false;
      open.push(inner);
    }
  }
  return true;
}
