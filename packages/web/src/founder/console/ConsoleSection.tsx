import type { ReactNode } from 'react'

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
    <section className="con-sec" id={id} aria-labelledby={heading} tabIndex={-1}>
      <div className="con-h">
        <h2 id={heading}>{title}</h2>
        {beside}
        {aside !== undefined && <div className="end">{aside}</div>}
      </div>
      {children}
    </section>
  )
}
