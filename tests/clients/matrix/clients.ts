// The client libraries of the matrix. Their versions are pinned in .ci/clients: each program prints its own.

export interface LibraryRow {
  /** Name in the table; the version is a column of its own. */
  client: string;
  language: 'JavaScript' | 'Python';
  /** Environment of .ci/clients/python that has the library. */
  environment?: 'current' | 'previous' | 'litellm';
  /** A file of programs/matrix and its arguments. */
  program: readonly [file: string, ...args: string[]];
  /** Why the library's own sums differ from what the vendor reports. */
  miscounts?: string;
}

export const CELLS = ['chat', 'stream', 'tools', 'structured'] as const;
export type Cell = (typeof CELLS)[number];

export const LIBRARIES: readonly LibraryRow[] = [
  ...javaScript('openai, chat completions', ['openai-chat.mjs', 'openai'], ['openai-chat.mjs', 'openai-6']),
  ...javaScript('openai, responses', ['openai-responses.mjs', 'openai'], ['openai-responses.mjs', 'openai-6']),
  ...javaScript('@anthropic-ai/sdk', ['anthropic.mjs', '@anthropic-ai/sdk'], ['anthropic.mjs', 'anthropic-sdk-0']),
  ...javaScript('@google/genai', ['google-genai.mjs', '@google/genai'], ['google-genai.mjs', 'google-genai-2']),
  ...javaScript(
    'AI SDK, @ai-sdk/openai',
    ['ai-sdk.mjs', 'ai', '@ai-sdk/openai'],
    ['ai-sdk.mjs', 'ai-6', 'ai-sdk-openai-3'],
  ),
  ...javaScript(
    'AI SDK, @ai-sdk/anthropic',
    ['ai-sdk.mjs', 'ai', '@ai-sdk/anthropic'],
    ['ai-sdk.mjs', 'ai-6', 'ai-sdk-anthropic-3'],
  ),
  ...javaScript(
    'AI SDK, @ai-sdk/openai-compatible',
    ['ai-sdk.mjs', 'ai', '@ai-sdk/openai-compatible'],
    ['ai-sdk.mjs', 'ai-6', 'ai-sdk-openai-compatible-2'],
  ),
  ...javaScript('@langchain/openai', ['langchain.mjs', '@langchain/openai']),
  {
    ...{ client: '@langchain/anthropic', language: 'JavaScript', program: ['langchain.mjs', '@langchain/anthropic'] },
    miscounts: 'it adds the output tokens of the first event of a stream to those of the last, which include them',
  },
  ...javaScript('@openai/agents', ['openai-agents.mjs', '@openai/agents']),
  python('openai, chat completions', 'current', 'openai_chat.py'),
  python('openai, chat completions', 'previous', 'openai_chat.py'),
  python('openai, responses', 'current', 'openai_responses.py'),
  python('openai, responses', 'previous', 'openai_responses.py'),
  python('anthropic', 'current', 'anthropic_messages.py'),
  python('anthropic', 'previous', 'anthropic_messages.py'),
  python('google-genai', 'current', 'google_genai.py'),
  python('google-genai', 'previous', 'google_genai.py'),
  python('langchain-openai', 'current', 'langchain_models.py', 'langchain-openai'),
  python('langchain-anthropic', 'current', 'langchain_models.py', 'langchain-anthropic'),
  python('openai-agents', 'current', 'openai_agents.py'),
  python('pydantic-ai, OpenAI chat', 'current', 'pydantic_ai_agent.py', 'openai-chat'),
  python('pydantic-ai, OpenAI responses', 'current', 'pydantic_ai_agent.py', 'openai-responses'),
  python('pydantic-ai, Anthropic', 'current', 'pydantic_ai_agent.py', 'anthropic'),
  python('litellm, openai/', 'litellm', 'litellm_completion.py', 'openai'),
  python('litellm, anthropic/', 'litellm', 'litellm_completion.py', 'anthropic'),
];

function javaScript(client: string, ...programs: [string, ...string[]][]): LibraryRow[] {
  return programs.map((program) => ({ client, language: 'JavaScript', program }));
}

function python(
  client: string,
  environment: NonNullable<LibraryRow['environment']>,
  ...program: [string, ...string[]]
): LibraryRow {
  return { client, language: 'Python', environment, program };
}
