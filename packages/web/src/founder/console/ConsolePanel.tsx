import type { ReactNode } from 'react'
import '../../ui/panel/panel.css'

/** A section that consists of one panel, half as wide where there is room. */
export function ConsolePanel({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const heading = `${id}-title`
  return (
    <section className="panel con-sec con-half" id={id} aria-labelledby={heading} tabIndex={-1}>
      <div className="panel-h">
        <h2 className="h-panel" id={heading}>
          {title}
        </h2>
      </div>
      <div className="panel-b">{children}</div>
    </section>
  )
}
