export const source = 'https://platform.minimax.io/docs/guides/pricing, by the price list of LiteLLM 1.110.2';
export const reviewed = '2026-11-30';

/** One model a line. */
export const models = `
{"model_id":"speech-02-hd","capabilities":[],"serves":"speech","context_window":32768,"max_output_tokens":0,"metered_in":"characters","input_cost_per_million_cents":10000,"output_cost_per_million_cents":0}
{"model_id":"speech-02-turbo","capabilities":[],"serves":"speech","context_window":32768,"max_output_tokens":0,"metered_in":"characters","input_cost_per_million_cents":6000,"output_cost_per_million_cents":0}
{"model_id":"speech-2.6-hd","capabilities":[],"serves":"speech","context_window":32768,"max_output_tokens":0,"metered_in":"characters","input_cost_per_million_cents":10000,"output_cost_per_million_cents":0}
{"model_id":"speech-2.6-turbo","capabilities":[],"serves":"speech","context_window":32768,"max_output_tokens":0,"metered_in":"characters","input_cost_per_million_cents":6000,"output_cost_per_million_cents":0}
{"model_id":"MiniMax-M2.1","capabilities":["text","tool_use"],"context_window":1000000,"max_output_tokens":8192,"reasons":true,"input_cost_per_million_cents":30,"output_cost_per_million_cents":120,"cache_read_cost_per_million_cents":3,"cache_write_cost_per_million_cents":38}
{"model_id":"MiniMax-M2.1-lightning","capabilities":["text","tool_use"],"context_window":1000000,"max_output_tokens":8192,"reasons":true,"input_cost_per_million_cents":30,"output_cost_per_million_cents":240,"cache_read_cost_per_million_cents":3,"cache_write_cost_per_million_cents":38}
{"model_id":"MiniMax-M2.5","capabilities":["text","tool_use"],"context_window":1000000,"max_output_tokens":8192,"reasons":true,"input_cost_per_million_cents":30,"output_cost_per_million_cents":120,"cache_read_cost_per_million_cents":3,"cache_write_cost_per_million_cents":38}
{"model_id":"MiniMax-M2.5-lightning","capabilities":["text","tool_use"],"context_window":1000000,"max_output_tokens":8192,"reasons":true,"input_cost_per_million_cents":30,"output_cost_per_million_cents":240,"cache_read_cost_per_million_cents":3,"cache_write_cost_per_million_cents":38}
{"model_id":"MiniMax-M2","capabilities":["text","tool_use"],"context_window":200000,"max_output_tokens":8192,"reasons":true,"input_cost_per_million_cents":30,"output_cost_per_million_cents":120,"cache_read_cost_per_million_cents":3,"cache_write_cost_per_million_cents":38}
{"model_id":"MiniMax-M3","capabilities":["text","vision","tool_use"],"context_window":1000000,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":30,"output_cost_per_million_cents":120,"cache_read_cost_per_million_cents":6,"long_context":{"above_input_tokens":512000,"input_cost_per_million_cents":60,"output_cost_per_million_cents":240,"cache_read_cost_per_million_cents":12}}
`;
