export const source = 'https://groq.com/pricing, by the price list of LiteLLM 1.110.2';
export const reviewed = '2026-11-30';

/** One model a line. */
export const models = `
{"model_id":"meta-llama/llama-prompt-guard-2-22m","capabilities":["text"],"context_window":512,"max_output_tokens":512,"input_cost_per_million_cents":3,"output_cost_per_million_cents":3}
{"model_id":"meta-llama/llama-prompt-guard-2-86m","capabilities":["text"],"context_window":512,"max_output_tokens":512,"input_cost_per_million_cents":4,"output_cost_per_million_cents":4}
{"model_id":"openai/gpt-oss-120b","capabilities":["text","tool_use","structured_output"],"context_window":131072,"max_output_tokens":65536,"reasons":true,"input_cost_per_million_cents":15,"output_cost_per_million_cents":60,"cache_read_cost_per_million_cents":8}
{"model_id":"openai/gpt-oss-20b","capabilities":["text","tool_use","structured_output"],"context_window":131072,"max_output_tokens":65536,"reasons":true,"input_cost_per_million_cents":8,"output_cost_per_million_cents":30,"cache_read_cost_per_million_cents":4}
{"model_id":"openai/gpt-oss-safeguard-20b","capabilities":["text","tool_use","structured_output"],"context_window":131072,"max_output_tokens":65536,"reasons":true,"input_cost_per_million_cents":8,"output_cost_per_million_cents":30,"cache_read_cost_per_million_cents":4}
{"model_id":"canopylabs/orpheus-v1-english","capabilities":[],"serves":"speech","context_window":4000,"max_output_tokens":0,"metered_in":"characters","input_cost_per_million_cents":2200,"output_cost_per_million_cents":0}
{"model_id":"canopylabs/orpheus-arabic-saudi","capabilities":[],"serves":"speech","context_window":4000,"max_output_tokens":0,"metered_in":"characters","input_cost_per_million_cents":4000,"output_cost_per_million_cents":0}
{"model_id":"whisper-large-v3","capabilities":[],"serves":"transcription","context_window":32768,"max_output_tokens":0,"metered_in":"seconds","input_cost_per_million_cents":3083,"output_cost_per_million_cents":0}
{"model_id":"whisper-large-v3-turbo","capabilities":[],"serves":"transcription","context_window":32768,"max_output_tokens":0,"metered_in":"seconds","input_cost_per_million_cents":1111,"output_cost_per_million_cents":0}
{"model_id":"qwen/qwen3.8-27b","capabilities":["text","vision","tool_use","structured_output"],"context_window":131072,"max_output_tokens":16384,"reasons":true,"input_cost_per_million_cents":80,"output_cost_per_million_cents":400}
`;
