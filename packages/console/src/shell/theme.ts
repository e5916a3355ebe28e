import { useState } from 'react';

const NAME = 'tollgate.theme';

/** Whether the page is dark, and a function that changes it. public/theme.js sets it before the first paint. */
export function useTheme(): [boolean, () => void] {
  const { classList } = document.documentElement;
  const [isDark, setDark] = useState(() => classList.contains('dark'));
  const toggle = () => {
    classList.toggle('dark', !isDark);
    try {
      localStorage.setItem(NAME, isDark ? 'light' : 'dark');
    } catch {
      // A browser may forbid storage in frames.
    }
    setDark(!isDark);
  };
  return [isDark, toggle];
}
