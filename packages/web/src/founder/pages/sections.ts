import type { ComponentType } from 'react'
import type { LucideIcon } from 'lucide-react'

export interface Section {
  /** Of the anchor, and what the section gives its ConsoleSection. */
  id: string
  /** In the rail. */
  label: string
  icon: LucideIcon
  Section: ComponentType
  /** A RailCount, fed by the same query as the section. */
  Count?: ComponentType
}

/** The console in the order of the specification: the page and its rail are both this list. */
export const sections: readonly Section[] = []
