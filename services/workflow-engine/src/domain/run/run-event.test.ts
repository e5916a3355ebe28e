import { describe, expect, it } from '@jest/globals';
import { nodeEvent, renderEvent, runCompleted, runEvent, textDelta } from './run-event.js';

const ts = new Date('2030-01-02T03:04:05.006Z');

describe('renderEvent', () => {
  it('puts the envelope before the payload', () => {
    const { body } = textDelta('n', 'a "quoted" \u0000 text');
    const json = renderEvent('run', { seq: 7, ts, type: 'node_output_delta', nodeId: 'n', body });
    expect(JSON.parse(json)).toEqual({
      envelope_version: 'v0',
      run_id: 'run',
      seq: 7,
      ts: '2030-01-02T03:04:05.006Z',
      type: 'node_output_delta',
      node_id: 'n',
      delta: { kind: 'text', text_delta: 'a "quoted" \u0000 text' },
    });
    expect(Object.keys(JSON.parse(json) as object)[0]).toBe('envelope_version');
  });

  it('adds no payload for an empty body', () => {
    for (const draft of [runEvent('run_canceled'), nodeEvent('node_started', 'n')]) {
      const stored = { seq: 1, ts, type: draft.type, nodeId: draft.nodeId ?? null, body: draft.body };
      expect(() => JSON.parse(renderEvent('run', stored))).not.toThrow();
    }
  });

  it('keeps serialized outputs unchanged', () => {
    const { body, type } = runCompleted('h', '{"a":1.0,"b":[]}');
    expect(renderEvent('run', { seq: 1, ts, type, nodeId: null, body })).toContain('"outputs":{"a":1.0,"b":[]}}');
  });
});
