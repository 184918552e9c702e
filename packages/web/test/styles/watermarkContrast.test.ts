import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Rgb = readonly [number, number, number]

const style = (name: string) => readFileSync(new URL(`../../src/${name}`, import.meta.url), 'utf8')

/** Converts OKLCH to gamma-encoded sRGB, 0 to 1 (Björn Ottosson's matrices). */
function toRgb(lightness: number, chroma: number, hue: number): Rgb {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const encode = (value: number) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)
  return linear.map((value) => encode(Math.min(1, Math.max(0, value)))) as unknown as Rgb
}

const palette = style('styles/palette.css')

/** A colour that the palette declares for a theme. */
function colourOf(name: string, theme: 'light' | 'dark'): Rgb {
  const color = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)`
  const found = new RegExp(String.raw`--${name}: light-dark\(${color}, ${color}\);`).exec(palette)
  if (!found) throw new Error(`No colour ${name}.`)
  const [lightness = 0, chroma = 0, hue = 0] = found.slice(theme === 'light' ? 1 : 4).map(Number)
  return toRgb(lightness, chroma, hue)
}

/** Relative luminance and contrast ratio by WCAG 2.2. */
function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
function contrast(one: Rgb, other: Rgb): number {
  const [bright = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (bright + 0.05) / (dark + 0.05)
}

const opacity = Number(/opacity: ([\d.]+);/.exec(style('features/deterrents/watermark.css'))?.[1])

/** Text colours used on the background, between and below the bubbles, above the watermark. */
const inks = ['foreground-subtle', 'foreground-muted', 'warning-text', 'critical-text', 'link'] as const

test.each(['light', 'dark'] as const)('text on the watermark keeps 4.5 to 1, %s', (theme) => {
  const get = (name: string) => colourOf(name, theme)
  const desk = get('background')
  const marked = desk.map(
    (value, at) => value * (1 - opacity) + (get('watermark')[at] ?? 0) * opacity,
  ) as unknown as Rgb
  expect(opacity).toBe(0.04)
  for (const ink of inks) expect(contrast(get(ink), marked), ink).toBeGreaterThanOrEqual(4.5)
  expect(contrast(desk, marked), 'it can be seen').toBeGreaterThan(1.04)
})
