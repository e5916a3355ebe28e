import { z } from 'zod';
import { jsonObject } from '../../values/json-object.js';

/**
 * Contents of `POST /v1beta/models/…:generateContent`. Source: `Content`, `Part`, `FunctionCall`, `FunctionResponse` and `Blob` of
 * `@google/genai` 3.1.
 */

const PARTS_MAX = 10_000;
const NAME_CHARS_MAX = 256;

/**
 * Returns an object of this dialect. The vendor also accepts names with underscores, under which members would pass unchecked
 * and uncounted; where its own libraries send one, the shape has it. `absent` has members that are refused, with the reason.
 */
export function googleObject<S extends z.ZodRawShape>(shape: S, absent: Readonly<Record<string, string>> = {}) {
  return z.looseObject(shape).superRefine((value, ctx) => {
    const members = value as Record<string, unknown>;
    for (const name in members) {
      const reason = Object.hasOwn(absent, name) ? absent[name] : undefined;
      const isSet = members[name] !== undefined && members[name] !== null;
      if (reason !== undefined && isSet) ctx.addIssue({ code: 'custom', path: [name], message: reason });
      if (name.includes('_') && !Object.hasOwn(shape, name))
        ctx.addIssue({ code: 'custom', path: [name], message: `write ${toCamelCase(name)}` });
    }
  });
}

function toCamelCase(name: string): string {
  return name.replace(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());
}

const NOT_STORED = 'files are not stored: send the data itself as inlineData';

export const googleBlob = googleObject({ mimeType: z.string().min(1).max(NAME_CHARS_MAX), data: z.string() });

const functionCall = googleObject({
  id: z.string().max(NAME_CHARS_MAX).nullish(),
  name: z.string().min(1).max(NAME_CHARS_MAX),
  args: jsonObject.nullish(),
});

const functionResponse = googleObject({
  id: z.string().max(NAME_CHARS_MAX).nullish(),
  name: z.string().min(1).max(NAME_CHARS_MAX),
  response: jsonObject.nullish(),
  parts: z
    .array(googleObject({ inlineData: googleBlob.nullish() }, { fileData: NOT_STORED }))
    .max(PARTS_MAX)
    .nullish(),
});

/** A part has one kind of content. Kinds that only the vendor reads cost the tokens of their JSON. */
export const googlePart = googleObject(
  {
    text: z.string().nullish(),
    inlineData: googleBlob.nullish(),
    functionCall: functionCall.nullish(),
    functionResponse: functionResponse.nullish(),
    thought: z.boolean().nullish(),
    thoughtSignature: z.string().nullish(),
  },
  { fileData: NOT_STORED },
);

export const googleContent = googleObject({
  role: z.enum(['user', 'model', 'function']).nullish(),
  parts: z.array(googlePart).max(PARTS_MAX).nullish(),
});

export const googleSystemInstruction = googleObject({
  parts: z
    .array(googleObject({ text: z.string({ error: 'must be text' }) }, { fileData: NOT_STORED }))
    .max(PARTS_MAX)
    .nullish(),
});

export type GoogleContent = z.output<typeof googleContent>;
export type GooglePart = z.output<typeof googlePart>;
export type GoogleFunctionResponse = z.output<typeof functionResponse>;

/** Members of a part that hold its content and that every provider can read; the others describe it. */
const readable = new Set(['text', 'inlineData', 'functionCall', 'functionResponse']);
const descriptive = new Set([
  'thought',
  'thoughtSignature',
  'partMetadata',
  'mediaProcessing',
  'mediaResolution',
  'speechMetadata',
  'videoMetadata',
]);

/** Returns the kind of content that only the vendor reads; undefined for a part without any. */
export function vendorKind(part: GooglePart): string | undefined {
  return Object.keys(part).find((name) => !readable.has(name) && !descriptive.has(name));
}
