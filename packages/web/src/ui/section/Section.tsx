import { type ReactNode, useId } from 'react'
import './section.css'

interface SectionProps {
  title: string
  lead?: ReactNode
  /** What an address names after its # to lead to this heading. */
  anchor?: string
  children: ReactNode
}

/** A part of a settings page: its heading beside its controls, above them on narrow screens. */
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
