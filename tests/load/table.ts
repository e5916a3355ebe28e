/** Markdown. */
export function table(head: string, lines: string[]): string {
  return `\n| ${head} |\n|${' --- |'.repeat(head.split('|').length)}\n${lines.map((line) => `| ${line} |`).join('\n')}\n`;
}

export function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}
