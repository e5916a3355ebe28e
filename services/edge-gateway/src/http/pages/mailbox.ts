import { AppError } from '@tollgate/errors';
import { escapeHtml } from '../../domain/mail/escape-html.js';
import { type LocalMail, listLocalMails } from '../../store/mails.js';
import { defineRoute } from '../exchange/route.js';
import { requireLocalPage } from '../server/local-page.js';
import { plainPage } from './page.js';

const MAILS_MAX = 50;

/** The mails that a development system would have sent. They contain links that sign people in. */
export const showMailbox = defineRoute({
  method: 'GET',
  path: '/mailbox',
  tag: 'Meta',
  summary: 'Show the emails of a development system',
  auth: 'none',
  success: { status: 200, contentType: 'text/html' },
  refusals: [403, 404],
  handler: async ({ headers: sent }, { config, pool }) => {
    if (config.mail?.kind !== 'local') throw new AppError('NOT_FOUND', 'no such endpoint');
    requireLocalPage(sent);
    const mails = await listLocalMails(pool, MAILS_MAX);
    const list = mails.length === 0 ? '<p>No emails yet.</p>' : mails.map(mailHtml).join('\n');
    const content = `<h1>Local mailbox</h1>
<p class="soft">This development system sends no emails. It shows them here for seven days; reload the page for new ones.</p>
${list}`;
    const { body, headers } = plainPage({ title: 'Local mailbox', content });
    return { body, headers: { ...headers, 'Cache-Control': 'no-store' } };
  },
});

function mailHtml({ recipient, subject, text, createdAt }: LocalMail): string {
  const linked = escapeHtml(text).replace(/^https?:\/\/\S+$/gm, (url) => `<a href="${url}">${url}</a>`);
  return `<article><h2>${escapeHtml(subject)}</h2>
<p class="soft">To ${escapeHtml(recipient)}, ${createdAt.toISOString()}</p>
<pre>${linked}</pre></article>`;
}
