import { expect, it } from '@jest/globals';
import { MAIL_ATTEMPTS_MAX, mailPauseMs } from './mail.js';
import { invitationMail, passwordResetMail } from './mail-texts.js';

it('spreads the attempts over a few hours', () => {
  const pauses = Array.from({ length: MAIL_ATTEMPTS_MAX - 1 }, (_, i) => mailPauseMs(i + 1) / 60_000);
  expect(pauses).toEqual([1, 3, 9, 27, 81, 180, 180]);
});

it('escapes names in HTML and keeps line breaks out of subjects', () => {
  const mail = invitationMail({
    projectName: 'A\r\nBcc: x <b>&',
    inviter: 'ada@example.com',
    role: 'viewer',
    url: 'https://example.com/console/invitation#code',
    expiresAt: new Date('2026-11-30T09:00:00Z'),
  });
  expect(mail.subject).toBe('Invitation to A Bcc: x <b>&');
  expect(mail.html).toContain('A Bcc: x &lt;b&gt;&amp;');
  expect(mail.html).not.toContain('<b>&');
  expect(mail.text).toContain('https://example.com/console/invitation#code');
  expect(mail.text).toContain('2026-11-30 09:00 UTC');
});

it('shortens the name of a project in a subject', () => {
  const common = { inviter: 'a', role: 'viewer', url: 'u', expiresAt: new Date(0) } as const;
  const { subject, text } = invitationMail({ ...common, projectName: '🚧'.repeat(200) });
  expect(subject).toBe(`Invitation to ${'🚧'.repeat(79)}…`);
  expect(text).toContain('🚧'.repeat(200));
});

it('explains in a reset mail that nothing happens without the link', () => {
  const { text } = passwordResetMail({ url: 'https://example.com/x#c', expiresAt: new Date('2026-11-30T09:00:00Z') });
  expect(text).toContain('If you did not ask for this, ignore this email: your password stays as it is.');
});
