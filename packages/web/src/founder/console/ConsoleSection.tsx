import type { ReactNode } from 'react'

interface ConsoleSectionProps {
  /** The same as in pages/sections.ts: where the rail leads. */
  id: string
  title: string
  /** Beside the title: a badge or a count. */
  beside?: ReactNode
  /** At the right end. */
  aside?: ReactNode
  children: ReactNode
}

/** One section of the console: a heading that the rail leads to, and what is under it. */
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
