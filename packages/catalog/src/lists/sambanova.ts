export const source = 'https://cloud.sambanova.ai/plans/pricing, by the price list of LiteLLM 1.110.2';
export const reviewed = '2026-11-30';

/** One model a line. */
export const models = `
{"model_id":"MiniMax-M2.7","capabilities":["text","tool_use"],"context_window":196608,"max_output_tokens":131072,"reasons":true,"input_cost_per_million_cents":60,"output_cost_per_million_cents":240}
{"model_id":"DeepSeek-R1","capabilities":["text"],"context_window":32768,"max_output_tokens":32768,"input_cost_per_million_cents":500,"output_cost_per_million_cents":700}
{"model_id":"Llama-4-Maverick-17B-128E-Instruct","capabilities":["text","vision","tool_use","structured_output"],"context_window":131072,"max_output_tokens":131072,"input_cost_per_million_cents":63,"output_cost_per_million_cents":180}
{"model_id":"Meta-Llama-3.3-70B-Instruct","capabilities":["text","tool_use","structured_output"],"context_window":131072,"max_output_tokens":131072,"input_cost_per_million_cents":60,"output_cost_per_million_cents":120}
{"model_id":"DeepSeek-V3.1","capabilities":["text","tool_use"],"context_window":131072,"max_output_tokens":131072,"reasons":true,"input_cost_per_million_cents":300,"output_cost_per_million_cents":450}
{"model_id":"gpt-oss-120b","capabilities":["text","tool_use"],"context_window":131072,"max_output_tokens":131072,"reasons":true,"input_cost_per_million_cents":22,"output_cost_per_million_cents":59}
{"model_id":"DeepSeek-V3.2","capabilities":["text","tool_use"],"context_window":32768,"max_output_tokens":32768,"input_cost_per_million_cents":300,"output_cost_per_million_cents":450}
{"model_id":"gemma-4-31B-it","capabilities":["text","vision"],"context_window":131072,"max_output_tokens":131072,"input_cost_per_million_cents":38,"output_cost_per_million_cents":115}
`;
