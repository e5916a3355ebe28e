import { describe, expect, it } from '@jest/globals';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { canCountInputTokens, countInputTokens } from './count-tokens.js';
import { loadCatalog } from './load-catalog.js';
import { estimateInputTokens } from './token-estimates.js';

const model = loadCatalog({ sandbox: false })
  .list()
  .find(({ tokenizer }) => tokenizer === 'o200k')!;
const unknown = loadCatalog({ sandbox: false })
  .list()
  .find(({ tokenizer }) => tokenizer === 'bytes')!;

const PROSE = 'The gatekeeper counts each carriage that passes, and writes its toll into the book. '.repeat(40);

const texts: [string, string][] = [
  ['prose', PROSE],
  ['one long word', 'a'.repeat(5_000)],
  ['spaces', ' '.repeat(5_000)],
  ['digits', '1234567890'.repeat(300)],
  ['code', 'const gate = (toll: bigint): bigint => toll * 2n;\n\t// passes\n'.repeat(60)],
  ['Chinese', '收费站记录每一辆经过的马车。'.repeat(100)],
  ['emoji of several characters', '👩‍👩‍👧‍👦🚧'.repeat(200)],
  ['what looks like control tokens', '<|endoftext|><|im_start|>'.repeat(50)],
  ['nothing', ''],
];

describe('counting input tokens', () => {
  it.each(texts)('counts %s at no less than its vocabulary does and no more than the bound', async (_, text) => {
    const counted = await countInputTokens(model, { messages: [text] });
    expect(counted).toBeGreaterThanOrEqual(countTokens(text, { disallowedSpecial: new Set<string>() }));
    expect(counted).toBeLessThanOrEqual(estimateInputTokens(model, text));
  });

  it('counts ordinary text at less than a third of its bound', async () => {
    const counted = await countInputTokens(model, { messages: [PROSE] });
    expect(counted).toBeLessThan(estimateInputTokens(model, PROSE) / 3);
  });

  it('leaves tools, schemas and files at their bound', async () => {
    const input = {
      messages: [''],
      extras: ['{"name":"open_gate"}'],
      files: [{ mimeType: 'image/png', bytes: 10 }],
    };
    expect(await countInputTokens(model, input)).toBe(estimateInputTokens(model, input));
  });

  it('leaves the event loop to other work while it counts a hostile text of full size', async () => {
    const hostile = Array.from({ length: 20_000 }, (_, i) =>
      String.fromCharCode(0x4e_00 + ((i * 7_919) % 20_000)),
    ).join('');
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 1);
    await countInputTokens(model, { messages: [hostile] });
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(3);
  });

  it.each([
    ['a model whose vocabulary is not published', unknown, 'short', false],
    ['a long request', model, 'x'.repeat(65_537), false],
    ['an ordinary one', model, 'x'.repeat(65_536), true],
  ])('decides whether to count %s (model: %p)', (_, of, text, expected) => {
    expect(canCountInputTokens(of, { messages: [text] })).toBe(expected);
  });
});
