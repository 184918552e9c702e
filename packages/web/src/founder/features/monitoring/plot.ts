import uPlot from 'uplot'
import { clockTime, type Minute } from './minutes.ts'

export interface Palette {
  line: string
  area: string
  flag: string
  grid: string
  text: string
  font: string
}

/** Reads the colours from computed styles, because a canvas does not resolve custom properties. */
export function readPalette(host: HTMLElement): Palette {
  const styleOf = (name: string) => {
    const part = host.querySelector(`.rate-${name}`)
    return getComputedStyle(part ?? host)
  }
  const text = styleOf('text')
  return {
    line: styleOf('line').backgroundColor,
    area: styleOf('area').backgroundColor,
    flag: styleOf('flag').backgroundColor,
    grid: styleOf('grid').backgroundColor,
    text: text.color,
    font: `500 11px ${text.fontFamily}`,
  }
}

/**
 * Times in seconds, messages and flags, as uPlot expects them. The current minute is incomplete, so it is drawn only
 * once it reaches the previous one.
 */
export function dataOf(minutes: readonly Minute[]): [number[], (number | null)[], number[]] {
  const messages = minutes.map(({ messages: sent }): number | null => sent)
  const [before = 0, current = 0] = minutes.slice(-2).map((minute) => minute.messages)
  if (current < before) messages[messages.length - 1] = null
  return [minutes.map(({ at }) => at / 1_000), messages, minutes.map(({ flags }) => flags)]
}

/** Bars of flags take at most an eighth of the height. */
const flagShare = 8
/** Minimum of the scale, so that a single message does not look like a peak. */
const minTop = 4

interface PlotOptions {
  palette: () => Palette
  size: { width: number; height: number }
  onCursor: (index: number | undefined) => void
}

export function createPlot(
  root: HTMLElement,
  minutes: readonly Minute[],
  { palette, size, onCursor }: PlotOptions,
): uPlot {
  const { font } = palette()
  const axis: uPlot.Axis = { stroke: () => palette().text, font, ticks: { show: false } }
  return new uPlot(
    {
      ...size,
      padding: [12, 14, 0, 4],
      legend: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        points: { size: (_plot, series) => (series === 1 ? 9 : 0), width: 0, fill: () => palette().line },
      },
      scales: {
        y: { range: (_plot, _least, most) => [0, Math.max(minTop, Math.ceil(most * 1.08))] },
        flags: { range: (_plot, _least, most) => [0, Math.max(1, most) * flagShare] },
      },
      series: [
        {},
        { stroke: () => palette().line, fill: () => palette().area, width: 2, points: { show: false } },
        {
          scale: 'flags',
          stroke: () => palette().flag,
          fill: () => palette().flag,
          width: 0,
          paths: uPlot.paths.bars?.({ size: [0.5, 6] }),
          points: { show: false },
        },
      ],
      axes: [
        {
          ...axis,
          size: 28,
          grid: { show: false },
          space: size.width < 480 ? 110 : 76,
          values: (_plot, splits) => splits.map((seconds) => clockTime(seconds * 1_000)),
        },
        {
          ...axis,
          size: 40,
          space: 44,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000],
          grid: { stroke: () => palette().grid, width: 1 },
        },
      ],
      hooks: { setCursor: [({ cursor }) => onCursor(cursor.idx ?? undefined)] },
    },
    dataOf(minutes),
    root,
  )
}
