const STEPS = [1, 2, 2.5, 5, 10] as const;

/** Returns round values from zero to at least `max`, for the lines of a chart. */
export function toScale(max: number, lines: number): number[] {
  if (max <= 0) return [0];
  const raw = max / lines;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * (STEPS.find((each) => each * power >= raw * (1 - Number.EPSILON)) ?? 10);
  return Array.from({ length: Math.ceil(max / step - 1e-9) + 1 }, (_, i) => i * step);
}
