export const source = 'https://api-docs.deepseek.com/quick_start/pricing, by the price list of LiteLLM 1.110.2';
export const reviewed = '2026-11-30';

/** One model a line. */
export const models = `
{"model_id":"deepseek-v3.2","capabilities":["text","tool_use"],"context_window":163840,"max_output_tokens":163840,"reasons":true,"input_cost_per_million_cents":28,"output_cost_per_million_cents":40,"cache_read_cost_per_million_cents":3}
{"model_id":"deepseek-flash","capabilities":["text","vision","tool_use","structured_output"],"context_window":1000000,"max_output_tokens":393216,"reasons":true,"input_cost_per_million_cents":30,"output_cost_per_million_cents":120,"cache_read_cost_per_million_cents":1}
{"model_id":"deepseek-v4-flash","capabilities":["text","vision","tool_use","structured_output"],"context_window":1000000,"max_output_tokens":393216,"reasons":true,"input_cost_per_million_cents":30,"output_cost_per_million_cents":120,"cache_read_cost_per_million_cents":1}
{"model_id":"deepseek-v4-flash-vision-exp","capabilities":["text","vision","tool_use","structured_output"],"context_window":1000000,"max_output_tokens":393216,"reasons":true,"input_cost_per_million_cents":30,"output_cost_per_million_cents":120,"cache_read_cost_per_million_cents":1}
{"model_id":"deepseek-v4-pro","capabilities":["text","tool_use","structured_output"],"context_window":1000000,"max_output_tokens":393216,"reasons":true,"input_cost_per_million_cents":132,"output_cost_per_million_cents":396,"cache_read_cost_per_million_cents":5}
`;
