import type { Client } from '@privity/client'

export interface Person {
  firstName: string
  lastName: string
}

export interface SafetySheetProps {
  client: Client
  connectionId: string
  connectedAt: number
  own: Person
  other: Person
  onClose: () => void
}
