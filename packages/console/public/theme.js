// Runs before the first paint, so that a page that is dark by choice is never white first.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('tollgate.theme');
  } catch {
    // A browser may forbid storage in frames.
  }
  const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.classList.toggle('dark', isDark);
})();
