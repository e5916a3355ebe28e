// Runs before the first paint, so that a page that is dark by choice is never white first.
(() => {
  const chosen = localStorage.getItem('tollgate.theme');
  const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.classList.toggle('dark', isDark);
})();
