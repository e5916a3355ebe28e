const ask = (id: string, text: string) => ({
  id,
  type: 'llm.responses',
  input: {
    model: 'sandbox/echo-1',
    input: [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }],
  },
});

/** Two nodes run at once; a third waits for both. */
export const SAMPLE_WORKFLOW = {
  kind: 'workflow.v1',
  name: 'weekly_report',
  nodes: [ask('figures', 'List the figures.'), ask('news', 'List the news.'), ask('report', 'Write the report.')],
  edges: [
    { from: 'figures', to: 'report' },
    { from: 'news', to: 'report' },
  ],
  outputs: [{ name: 'text', from: 'report', pointer: '' }],
};
