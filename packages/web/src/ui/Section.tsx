import { type ReactNode, useId } from 'react'
import '../styles/section.css'

/** A part of a settings page: its heading beside its controls, above them on narrow screens. */
export function Section({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const id = useId()
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
