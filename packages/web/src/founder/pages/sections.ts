import type { ComponentType } from 'react'
import { type LucideIcon, Siren } from 'lucide-react'
import { IncidentCount } from '../features/incidents/IncidentCount.tsx'
import { incidentsId, IncidentSection } from '../features/incidents/IncidentSection.tsx'
import { incidentTexts } from '../features/incidents/texts.ts'

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
export const sections: readonly Section[] = [
  { id: incidentsId, label: incidentTexts.rail, icon: Siren, Section: IncidentSection, Count: IncidentCount },
]
