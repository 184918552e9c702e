import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type uPlot from 'uplot'
import { formatNumber } from '../../../i18n/language.ts'
import { clockTime, countsText, type Minute, minuteText, moveCursor, summaryOf } from './minutes.ts'
import { createPlot, dataOf, type Palette, readPalette } from './plot.ts'
import { monitoringTexts } from './texts.ts'

/** Fills its box, because the panel is as high as the list of events beside it. */
const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({ width: clientWidth, height: clientHeight })

/** Calls `changed` when the theme or text size changes, including a system theme. Returns a function that stops it. */
function onAppearanceChange(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const page = new MutationObserver(changed)
  page.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-text'] })
  system.addEventListener('change', changed)
  return () => {
    page.disconnect()
    system.removeEventListener('change', changed)
  }
}

/** Chart of the last hour. Pointer and arrow keys move a cursor, whose minute is shown and announced. */
export function RateChart({ minutes }: { minutes: readonly Minute[] }) {
  const host = useRef<HTMLDivElement>(null)
  const root = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const newest = useRef(minutes)
  const [cursor, setCursor] = useState<number>()
  const description = useId()
  const texts = monitoringTexts.rate

  useEffect(() => {
    const [box, place] = [host.current, root.current]
    if (!box || !place) return
    let palette: Palette = readPalette(box)
    const drawn = createPlot(place, newest.current, { palette: () => palette, size: sizeOf(box), onCursor: setCursor })
    plot.current = drawn
    const sizes = new ResizeObserver(() => drawn.setSize(sizeOf(box)))
    sizes.observe(box)
    const stopFollowing = onAppearanceChange(() => {
      palette = readPalette(box)
      drawn.redraw(true, true)
    })
    return () => {
      sizes.disconnect()
      stopFollowing()
      drawn.destroy()
      plot.current = undefined
    }
  }, [])

  useEffect(() => {
    newest.current = minutes
    plot.current?.setData(dataOf(minutes))
  }, [minutes])

  function moveTo(next: number | undefined): void {
    const minute = next === undefined ? undefined : minutes[next]
    const left = minute === undefined ? -10 : (plot.current?.valToPos(minute.at / 1_000, 'x') ?? -10)
    plot.current?.setCursor({ left, top: minute === undefined ? -10 : 0 })
  }

  function press(event: KeyboardEvent): void {
    const next = event.key === 'Escape' ? undefined : moveCursor(event.key, cursor, minutes.length)
    if (next === undefined && event.key !== 'Escape') return
    event.preventDefault()
    moveTo(next)
  }

  const minute = cursor === undefined ? undefined : minutes[cursor]
  const shown = minute ?? minutes.at(-1)
  const { min, max, now, flags } = summaryOf(minutes)
  return (
    <div className="rate-chart" ref={host}>
      <div
        className="rate-plot"
        role="slider"
        tabIndex={0}
        aria-label={texts.cursor}
        aria-describedby={description}
        aria-valuemin={0}
        aria-valuemax={minutes.length - 1}
        aria-valuenow={cursor ?? minutes.length - 1}
        aria-valuetext={shown && minuteText(shown)}
        onKeyDown={press}
        onBlur={() => moveTo(undefined)}
      >
        <div ref={root} />
        {minute && cursor !== undefined && (
          <div className={cursor < minutes.length / 2 ? 'rate-tip is-right' : 'rate-tip'} aria-hidden="true">
            <b>{clockTime(minute.at)}</b>
            <span>{countsText(minute)}</span>
          </div>
        )}
      </div>
      <p className="sr" id={description}>
        {texts.summary(formatNumber(min), formatNumber(max), formatNumber(now), formatNumber(flags))}
      </p>
      <span className="rate-palette" aria-hidden="true">
        <i className="rate-line" />
        <i className="rate-area" />
        <i className="rate-flag" />
        <i className="rate-grid" />
        <i className="rate-text" />
      </span>
    </div>
  )
}
