import type { MouseEvent } from 'react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from '../button/Button.tsx'
import { tableTexts } from './texts.ts'
import './table.css'

interface PagerProps {
  /** Starts at 1. */
  page: number
  onPrevious: () => void
  /** Absent on the last page. */
  onNext: (() => void) | undefined
  busy?: boolean
}

/**
 * Buttons to the previous and next page, which scroll to the top; hidden for a single page. At either end the button
 * stays focusable, so that it keeps the focus.
 */
export function Pager({ page, onPrevious, onNext, busy = false }: PagerProps) {
  if (page === 1 && !onNext) return null
  const isFirst = page === 1

  function go(event: MouseEvent, way: (() => void) | undefined) {
    if (busy || !way) return
    event.currentTarget.closest('.panel')?.scrollIntoView({ block: 'start' })
    way()
  }

  return (
    <nav className="pager" aria-label={tableTexts.pages}>
      <Button
        size="sm"
        aria-disabled={isFirst || undefined}
        onClick={(event) => go(event, isFirst ? undefined : onPrevious)}
      >
        <ChevronLeft className="ic ic-sm" />
        {tableTexts.previous}
      </Button>
      <span role="status">{tableTexts.page(page)}</span>
      <Button size="sm" aria-disabled={!onNext || undefined} onClick={(event) => go(event, onNext)}>
        {tableTexts.next}
        <ChevronRight className="ic ic-sm" />
      </Button>
    </nav>
  )
}
