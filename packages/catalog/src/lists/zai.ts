export const source = 'https://docs.z.ai/guides/overview/pricing, by the price list of LiteLLM 1.110.2';
export const reviewed = '2026-11-30';

/** One model a line. */
export const models = `
{"model_id":"glm-5","capabilities":["text","tool_use"],"context_window":200000,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":100,"output_cost_per_million_cents":320,"cache_read_cost_per_million_cents":20}
{"model_id":"glm-5.3","capabilities":["text","tool_use","structured_output"],"context_window":1000000,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":140,"output_cost_per_million_cents":440,"cache_read_cost_per_million_cents":26}
{"model_id":"glm-5.3-flash","capabilities":["text","vision","tool_use","structured_output"],"context_window":1048576,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":15,"output_cost_per_million_cents":50,"cache_read_cost_per_million_cents":3}
{"model_id":"glm-5v-turbo","capabilities":["text","vision","tool_use"],"context_window":200000,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":120,"output_cost_per_million_cents":400,"cache_read_cost_per_million_cents":24}
{"model_id":"glm-5.1","capabilities":["text","tool_use"],"context_window":200000,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":140,"output_cost_per_million_cents":440,"cache_read_cost_per_million_cents":26}
{"model_id":"glm-5-code","capabilities":["text","tool_use"],"context_window":200000,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":120,"output_cost_per_million_cents":500,"cache_read_cost_per_million_cents":30}
{"model_id":"glm-4.7","capabilities":["text","tool_use"],"context_window":200000,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":60,"output_cost_per_million_cents":220,"cache_read_cost_per_million_cents":11}
{"model_id":"glm-4.6","capabilities":["text","tool_use"],"context_window":200000,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":60,"output_cost_per_million_cents":220,"cache_read_cost_per_million_cents":11}
{"model_id":"glm-4.5","capabilities":["text","tool_use"],"context_window":128000,"max_output_tokens":32000,"input_cost_per_million_cents":60,"output_cost_per_million_cents":220}
{"model_id":"glm-4.5v","capabilities":["text","vision","tool_use"],"context_window":128000,"max_output_tokens":32000,"input_cost_per_million_cents":60,"output_cost_per_million_cents":180}
{"model_id":"glm-4.5-x","capabilities":["text","tool_use"],"context_window":128000,"max_output_tokens":32000,"input_cost_per_million_cents":220,"output_cost_per_million_cents":890}
{"model_id":"glm-4.5-air","capabilities":["text","tool_use"],"context_window":128000,"max_output_tokens":32000,"input_cost_per_million_cents":20,"output_cost_per_million_cents":110}
{"model_id":"glm-4.5-airx","capabilities":["text","tool_use"],"context_window":128000,"max_output_tokens":32000,"input_cost_per_million_cents":110,"output_cost_per_million_cents":450}
{"model_id":"glm-4-32b-0414-128k","capabilities":["text","tool_use"],"context_window":128000,"max_output_tokens":32000,"input_cost_per_million_cents":10,"output_cost_per_million_cents":10}
{"model_id":"glm-5.2","capabilities":["text","tool_use"],"context_window":1000000,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":140,"output_cost_per_million_cents":440,"cache_read_cost_per_million_cents":26}
`;
