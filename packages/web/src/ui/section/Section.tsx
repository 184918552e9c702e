import { type ReactNode, useId } from 'react'
import './section.css'

interface SectionProps {
  title: string
  lead?: ReactNode
  /** Id of the heading, for links to it. */
  anchor?: string
  children: ReactNode
}

/** A section of a settings page: the heading beside its controls, or above them on narrow screens. */
export function Section({ title, lead, children, anchor }: SectionProps) {
  const own = useId()
  const id = anchor ?? own
  return (
    <section className="set-sec" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {lead && <p>{lead}</p>}
      </div>
      <div>{children}</div>
    </section>
  )
}
