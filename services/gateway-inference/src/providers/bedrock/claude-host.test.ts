import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '../../domain/model-request.js';
import { toAmazonFrames, toChunks } from '../../testing/amazon-frames.js';
import { fixture } from '../../testing/fixtures.js';
import { play } from '../../testing/stream-player.js';
import { ForwardedMessagesWire } from '../anthropic/forwarded.js';
import { MessagesWire } from '../anthropic/messages-wire.js';
import { ToolNames } from '../convert/tool-names.js';
import { loadAmazonFrames } from '../transport/amazon-frames.js';
import { isClaude, modelPath } from './bedrock-models.js';
import { claudeHost } from './claude-host.js';

const names = new ToolNames({ tools: [{ name: 'weather' }, { name: 'clock' }] } as unknown as ModelRequest);
const plainWire = new MessagesWire('anthropic', { upstreamModel: 'claude-opus-5', names });

beforeAll(loadAmazonFrames);

describe('names of models', () => {
  it.each([
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929-v1:0'],
    ['eu.anthropic.claude-opus-5-v1:0', 'claude-opus-5-v1:0'],
    ['global.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5-20251001-v1:0'],
    ['arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-5-v1:0', 'claude-opus-5-v1:0'],
    ['arn:aws:bedrock:eu-central-1:1:application-inference-profile/ab12', 'claude-opus-5'],
  ])('recognizes %s as Claude', (upstreamModel, expected) => {
    const model = { upstreamModel, modelId: 'anthropic/claude-opus-5' };
    expect(isClaude(model)).toBe(true);
    expect(claudeHost.toModelName(model)).toBe(expected);
  });

  it.each([
    'us.amazon.nova-pro-v1:0',
    'meta.llama3-3-70b-instruct-v1:0',
    'arn:aws:bedrock:us-east-1:1:imported-model/x',
  ])('recognizes %s as another model', (upstreamModel) => {
    expect(isClaude({ upstreamModel, modelId: 'acme/nova' })).toBe(false);
  });

  it('escapes a name to one segment of the path', () => {
    const arn = 'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-5-v1:0';
    expect(modelPath(arn, 'invoke')).toBe(`/model/${encodeURIComponent(arn)}/invoke`);
    expect(modelPath(arn, 'invoke').split('/')).toHaveLength(4);
  });
});

describe('requests for Claude', () => {
  const body = { model: 'claude-opus-5', max_tokens: 5, messages: [], stream: true };

  it('puts model and stream into the path, and version and features into the body', () => {
    const betas = ['effort-2025-11-24', 'claude-code-20250219', 'advanced-tool-use-2025-11-20'];
    expect(claudeHost.toRequest(body, 'us.anthropic.claude-opus-5-v1:0', betas)).toEqual({
      path: '/model/us.anthropic.claude-opus-5-v1%3A0/invoke-with-response-stream',
      body: {
        anthropic_version: 'bedrock-2023-05-31',
        anthropic_beta: ['effort-2025-11-24', 'tool-search-tool-2025-10-19'],
        max_tokens: 5,
        messages: [],
      },
      headers: [],
    });
  });
});

describe('answers of Claude', () => {
  /** The vendor's events, as its own server sends them. */
  function vendorEvents(name: string): object[] {
    const lines = fixture('anthropic', name).split('\n');
    return lines.flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as object] : []));
  }

  it.each(['text.chunks.txt', 'tools.chunks.txt'])('reads %s in frames as from the vendor itself', (name) => {
    const framed = play(claudeHost.toWire(plainWire), toAmazonFrames(toChunks(vendorEvents(name))));
    expect(framed).toEqual(play(plainWire, Buffer.from(fixture('anthropic', name))));
    expect(framed.failure).toBeUndefined();
  });

  it("forwards the vendor's events with their names", () => {
    const wire = new ForwardedMessagesWire('anthropic', 'mine');
    const framed = play(claudeHost.toWire(wire), toAmazonFrames(toChunks(vendorEvents('text.chunks.txt'))));
    expect(framed.forwarded.map(({ name }) => name)).toContain('message_stop');
    expect(framed.answer?.usage).toEqual(
      play(wire, Buffer.from(fixture('anthropic', 'text.chunks.txt'))).answer?.usage,
    );
  });

  it('ends at an exception of AWS', () => {
    const frames = toAmazonFrames([
      ...toChunks(vendorEvents('text.chunks.txt').slice(0, 3)),
      ['throttlingException', { message: 'Too many requests' }],
    ]);
    expect(play(claudeHost.toWire(plainWire), frames).failure).toMatchObject({
      code: 'PROVIDER_ERROR',
      upstreamStatus: 429,
    });
  });

  it('reads errors in the form of AWS', () => {
    const headers = { 'x-amzn-errortype': 'ThrottlingException' };
    const failure = claudeHost.toWire(plainWire).readFailure(429, headers, '{"message":"Too many tokens"}');
    expect(failure).toMatchObject({ status: 429, detail: 'Too many tokens' });
  });
});
