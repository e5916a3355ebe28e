import { expect, it } from '@jest/globals';
import { betaHeader } from './forwarded-betas.js';

it.each([
  [[], []],
  [['context-1m-2025-08-07', 'files-api-2025-04-14', 'mine'], []],
  [
    ['interleaved-thinking-2025-05-14', 'fast-mode-2026-02-01', 'structured-outputs-2025-11-13'],
    ['anthropic-beta', 'interleaved-thinking-2025-05-14,structured-outputs-2025-11-13'],
  ],
  [
    ['pdfs-2024-09-25', 'pdfs-2024-09-25'],
    ['anthropic-beta', 'pdfs-2024-09-25'],
  ],
  [
    ['advanced-tool-use-2025-11-20', 'mid-conversation-system-2026-04-07', 'claude-code-20250219', 'effort-2027-01-01'],
    [
      'anthropic-beta',
      'advanced-tool-use-2025-11-20,mid-conversation-system-2026-04-07,claude-code-20250219,effort-2027-01-01',
    ],
  ],
  [['effort', 'compact-2026-01-12', 'advisor-tool-2026-03-01', 'request-tags-2026-08-21'], []],
])('forwards %j as %j', (betas, header) => {
  expect(betaHeader(betas)).toEqual(header);
});
