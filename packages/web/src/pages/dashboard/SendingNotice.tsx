import { CircleAlert } from 'lucide-react'
import type { Client, Trust } from '@privity/client'
import type { Party } from '@privity/contract/connections'
import { messageTexts } from '../../features/messages/texts.ts'
import { PausedAlert, KeyChangedAlert } from '../../features/trust/TrustAlerts.tsx'

interface SendingStoppedProps {
  client: Client
  connectionId: string
  party: Party
  trust: Trust | undefined
  onInfo: () => void
}

/** Why nothing can be sent in this conversation, the most serious reason first. */
export function SendingStopped({ client, connectionId, party, trust, onInfo }: SendingStoppedProps) {
  const { firstName } = party
  if (trust?.state === 'changed') return <KeyChangedAlert firstName={firstName} onReview={onInfo} />
  if (trust?.paused) return <PausedAlert client={client} connectionId={connectionId} firstName={firstName} />
  return (
    <div className="alert alert-line" role="status">
      <CircleAlert className="ic" />
      <span>{messageTexts.unavailable(firstName)}</span>
    </div>
  )
}
