export interface BrandColors {
  onLight: string;
  onDark: string;
  inkOnLight: string;
  inkOnDark: string;
}

type Rgb = readonly [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** The surfaces of both themes, roughly. */
const DARK_SURFACE: Rgb = [27, 30, 38];
/** Above the 4.5 of WCAG AA, because a wash of the color is also a background of texts. */
const CONTRAST_MIN = 5.8;
const STEPS = 50;

/** Returns a project's color as text and buttons can use it: darkened on light pages and lightened on dark ones. */
export function toBrandColors(hex: string): BrandColors {
  const color = readHex(hex);
  const onLight = moveTowards(color, BLACK, WHITE);
  const onDark = moveTowards(color, WHITE, DARK_SURFACE);
  return {
    onLight: writeHex(onLight),
    onDark: writeHex(onDark),
    inkOnLight: writeHex(chooseInk(onLight)),
    inkOnDark: writeHex(chooseInk(onDark)),
  };
}

export function contrast(a: string, b: string): number {
  return computeContrast(readHex(a), readHex(b));
}

/** Mixes as little as needed of the target into the color. */
function moveTowards(color: Rgb, target: Rgb, background: Rgb): Rgb {
  for (let step = 0; step <= STEPS; step++) {
    const mixed = color.map((value, i) => Math.round(value + ((target[i]! - value) * step) / STEPS)) as unknown as Rgb;
    if (computeContrast(mixed, background) >= CONTRAST_MIN) return mixed;
  }
  return target;
}

function chooseInk(background: Rgb): Rgb {
  return computeContrast(WHITE, background) >= computeContrast(BLACK, background) ? WHITE : BLACK;
}

/** The ratio of WCAG 2, from 1 to 21. */
function computeContrast(a: Rgb, b: Rgb): number {
  const [low, high] = [toLuminance(a), toLuminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function toLuminance(color: Rgb): number {
  const [r, g, b] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function readHex(hex: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
}

function writeHex(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
