import { type ReactNode, type Ref, useId } from 'react'
import { classes } from '../classes.ts'
import { keepRowFocus } from '../keepRowFocus.ts'
import '../badge/badge.css'
import './panel.css'

interface PanelProps {
  title: string
  /** Lets the parent focus the heading. */
  headingRef?: Ref<HTMLHeadingElement>
  /** Number of items, shown beside the title. */
  count?: string | undefined
  /** Shown at the right of the heading. */
  aside?: ReactNode
  /** For a table that extends to the edges. */
  flush?: boolean
  children: ReactNode
}

export function Panel({ title, headingRef, count, aside, flush, children }: PanelProps) {
  const id = useId()
  return (
    <section className={classes('panel', flush && 'panel-flush')} aria-labelledby={id} ref={keepRowFocus} tabIndex={-1}>
      <div className="panel-h">
        <h2 className="h-panel" id={id} ref={headingRef} tabIndex={-1}>
          {title}
        </h2>
        {count !== undefined && <span className="count">{count}</span>}
        {aside && <div className="panel-aside">{aside}</div>}
      </div>
      {flush ? children : <div className="panel-b">{children}</div>}
    </section>
  )
}
