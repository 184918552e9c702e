import { type ReactNode, useState } from 'react'
import type { Client, UnsentWork } from '@privity/client'
import { Confirm } from '../ui/dialog/Confirm.tsx'
import { signOut } from './session.ts'
import { signOutTexts as texts } from './texts.ts'

/** Signs out; asks first if unsent work would be lost. Render `question` on the page. */
export function useSignOut(client: Client): { leave: () => Promise<void>; question: ReactNode } {
  const [unsent, setUnsent] = useState<UnsentWork>()
  const [asking, setAsking] = useState(false)

  async function leave(): Promise<void> {
    const found = await client.unsent()
    if (!found.outgoing && !found.drafts) return signOut()
    setUnsent(found)
    setAsking(true)
  }

  const question = (
    <Confirm
      open={asking}
      onOpenChange={setAsking}
      title={texts.title}
      description={[unsent?.outgoing && texts.sendings, unsent?.drafts && texts.drafts, texts.lost]
        .filter(Boolean)
        .join(' ')}
      confirmLabel={texts.confirm}
      onConfirm={() => {
        setAsking(false)
        void signOut()
      }}
    />
  )
  return { leave, question }
}
