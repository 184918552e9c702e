import type { ReactNode } from 'react'
import { formatNumber } from '../../i18n/language.ts'
import { classes } from '../../ui/classes.ts'
import { keepRowFocus } from '../../ui/keepRowFocus.ts'
import '../../ui/badge/badge.css'
import '../../ui/panel/panel.css'

interface ConsoleSectionProps {
  /** The id in pages/sections.ts, the target of the rail's link. */
  id: string
  title: string
  /** Shown beside the title: a badge or a count. */
  beside?: ReactNode
  /** Shown at the right end of the heading. */
  aside?: ReactNode
  children: ReactNode
}

/** A section of the console with a heading that the rail links to. */
export function ConsoleSection({ id, title, beside, aside, children }: ConsoleSectionProps) {
  const heading = `${id}-title`
  return (
    <section className="con-sec" id={id} aria-labelledby={heading} ref={keepRowFocus} tabIndex={-1}>
      <div className="con-h">
        <h2 id={heading}>{title}</h2>
        {beside}
        {aside !== undefined && <div className="end">{aside}</div>}
      </div>
      {children}
    </section>
  )
}

/** A section that consists of one panel, half as wide where there is room. */
export function ConsolePanel({ id, title, children }: Pick<ConsoleSectionProps, 'id' | 'title' | 'children'>) {
  const heading = `${id}-title`
  return (
    <section className="panel con-sec con-half" id={id} aria-labelledby={heading} ref={keepRowFocus} tabIndex={-1}>
      <div className="panel-h">
        <h2 className="h-panel" id={heading}>
          {title}
        </h2>
      </div>
      <div className="panel-b">{children}</div>
    </section>
  )
}

type Tone = 'warn' | 'crit'

/** A count beside a section's title, coloured above 0; nothing while it is unknown. */
export function SectionCount({ count, tone }: { count: number | undefined; tone?: Tone }) {
  if (count === undefined) return null
  return <span className={classes('count', count > 0 && tone && `count-${tone}`)}>{formatNumber(count)}</span>
}

/** A count beside a rail entry; nothing if it is 0. `label` names the counted items for screen readers. */
export function RailCount({ count, tone, label }: { count: number; tone: Tone; label: string }) {
  if (count === 0) return null
  return (
    <span className={`count count-${tone}`}>
      {formatNumber(count)}
      <span className="sr"> {label}</span>
    </span>
  )
}
