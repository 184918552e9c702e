import type { ReactNode } from 'react'
import './facts.css'

/** A term and its value in a `dl`, such as the lists that facts.css styles. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
