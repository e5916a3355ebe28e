/** Statuses by which vendors refuse a prompt that does not fit into the context of the model. */
const STATUSES: ReadonlySet<number | undefined> = new Set([400, 413, 422]);
const CODES: ReadonlySet<string | undefined> = new Set(['context_length_exceeded', 'exceed_context_size_error']);

/** Words of OpenAI and most servers of its dialect, Anthropic, Google, xAI, llama.cpp, Bedrock, TGI and Together, Moonshot, Z.ai. */
const WORDS = [
  /\b(maximum|model's|max) context (length|window|size)\b/i,
  /\bexceeds? (the |this model's )?(available )?context (length|window|size|limit)\b/i,
  /\bprompt (is too long|exceeds max length)\b/i,
  /\binput token count\b.*\bexceeds the maximum\b/i,
  /\bmaximum prompt length is \d/i,
  /\binput is too long\b/i,
  /\bexceeded model token limit\b/i,
  /`inputs` (tokens \+ `max_new_tokens` )?must (be <=|have less than) \d/i,
];

/** Why a vendor refused a request, by its own fields. */
export interface Refusal {
  status?: number | undefined;
  type?: string | undefined;
  code?: string | undefined;
  message?: string | undefined;
}

/** Whether a vendor refused a request because its prompt does not fit into the context of the model. */
export function isContextOverflow({ status, type, code, message = '' }: Refusal): boolean {
  if (!STATUSES.has(status)) return false;
  return CODES.has(code) || CODES.has(type) || WORDS.some((words) => words.test(message));
}
