import { chatCompletionsBody, compatibleResponsesBody, messagesBody } from '@tollgate/api/compatible';
import { isSet, type RequestedParameter } from '../domain/optional-parameters.js';

/** Members of OpenAI's requests without a price of their own; those that have one are refused by value elsewhere. */
const OPENAI = [
  ...[
    'metadata',
    'prompt_cache_key',
    'prompt_cache_retention',
    'safety_identifier',
    'service_tier',
    'user',
    'verbosity',
  ],
  ...['client_metadata', 'stream_options', 'store', 'provider'],
];

/** Members of vLLM, SGLang, llama.cpp, Ollama, DeepSeek and Mistral: sampling, templates and forms of the answer. */
const OPEN_SERVERS = [
  ...[
    'min_p',
    'top_a',
    'typical_p',
    'tfs_z',
    'repetition_penalty',
    'repeat_penalty',
    'repeat_last_n',
    'length_penalty',
  ],
  ...[
    'dynatemp_range',
    'dynatemp_exponent',
    'xtc_probability',
    'xtc_threshold',
    'mirostat',
    'mirostat_tau',
    'mirostat_eta',
  ],
  ...['dry_multiplier', 'dry_base', 'dry_allowed_length', 'dry_penalty_last_n', 'dry_sequence_breakers', 'samplers'],
  ...[
    'min_tokens',
    'ignore_eos',
    'stop_token_ids',
    'include_stop_str_in_output',
    'no_stop_trim',
    'skip_special_tokens',
  ],
  ...['spaces_between_special_tokens', 'truncate_prompt_tokens', 'prompt_logprobs', 'allowed_token_ids', 'bad_words'],
  ...['echo', 'add_generation_prompt', 'continue_final_message', 'add_special_tokens', 'documents', 'chat_template'],
  ...['chat_template_kwargs', 'mm_processor_kwargs', 'guided_json', 'guided_regex', 'guided_choice', 'guided_grammar'],
  ...['guided_decoding_backend', 'structured_outputs', 'grammar', 'json_schema', 'regex', 'ebnf', 'cache_prompt'],
  ...['cache_salt', 'id_slot', 'n_keep', 'n_probs', 'post_sampling_probs', 'timings_per_token', 'return_progress'],
  ...['return_token_ids', 'return_tokens_as_token_ids', 'reasoning_format', 'reasoning', 'include_reasoning'],
  ...['separate_reasoning', 'thinking', 'thinking_budget', 'enable_thinking', 'think', 'keep_alive', 'options'],
  ...['safe_prompt', 'random_seed', 'prompt_mode', 'request_id'],
];

const CHAT: ReadonlySet<string> = new Set([
  ...Object.keys(chatCompletionsBody.shape),
  ...OPENAI,
  ...OPEN_SERVERS,
  // Judged by their values.
  ...['audio', 'logit_bias', 'modalities', 'prediction', 'search_parameters', 'web_search_options'],
]);

const RESPONSES: ReadonlySet<string> = new Set([
  ...Object.keys(compatibleResponsesBody.shape),
  ...OPENAI,
  ...OPEN_SERVERS,
  ...['max_tool_calls', 'top_k', 'truncation'],
]);

const MESSAGES: ReadonlySet<string> = new Set([
  ...Object.keys(messagesBody.shape),
  ...['cache_control', 'metadata', 'provider', 'service_tier', 'task_budget', 'user_profile_id'],
]);

const KNOWN = { chat: CHAT, responses: RESPONSES, messages: MESSAGES };

/** Returns the members of a body that are on no list: they may have a price, so they reach no provider. */
export function listUnknown(dialect: keyof typeof KNOWN, body: object): RequestedParameter[] {
  return Object.entries(body)
    .filter(([field, value]) => isSet(value) && !KNOWN[dialect].has(field))
    .map(([field, value]) => ({ parameter: 'unknown', field, value }));
}
