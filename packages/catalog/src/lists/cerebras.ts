export const source = 'https://www.cerebras.ai/pricing, by the price list of LiteLLM 1.110.2';
export const reviewed = '2026-11-30';

/** One model a line. */
export const models = `
{"model_id":"llama-3.1-70b","capabilities":["text","tool_use"],"context_window":128000,"max_output_tokens":128000,"input_cost_per_million_cents":60,"output_cost_per_million_cents":60}
{"model_id":"llama-3.1-8b","capabilities":["text","tool_use"],"context_window":128000,"max_output_tokens":128000,"input_cost_per_million_cents":10,"output_cost_per_million_cents":10}
{"model_id":"gpt-oss-120b","capabilities":["text","tool_use","structured_output"],"context_window":131072,"max_output_tokens":32768,"reasons":true,"input_cost_per_million_cents":35,"output_cost_per_million_cents":75}
{"model_id":"qwen-3.8-27b","capabilities":["text","vision","tool_use","structured_output"],"context_window":65536,"max_output_tokens":32768,"reasons":true,"input_cost_per_million_cents":99,"output_cost_per_million_cents":149}
{"model_id":"gemma-4-31b","capabilities":["text","vision","tool_use","structured_output"],"context_window":131072,"max_output_tokens":40960,"reasons":true,"input_cost_per_million_cents":99,"output_cost_per_million_cents":149}
`;
