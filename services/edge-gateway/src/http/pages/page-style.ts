/** The stylesheet of pages without scripts: `/docs/page.css`. */
export const PAGE_STYLE = `:root { color-scheme: light dark; --ink: #1a1a1a; --soft: #5c5c5c; --paper: #fff; --line: #ddd; --link: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --soft: #a5a5a5; --paper: #121212; --line: #333; --link: #8ab4f8; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: var(--ink); background: var(--paper); }
main { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
.notice { max-width: 26rem; margin: 16vh auto; text-align: center; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.1rem; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
dt { margin-top: 0.5rem; }
article { border-top: 1px solid var(--line); }
.soft { color: var(--soft); }
`;
