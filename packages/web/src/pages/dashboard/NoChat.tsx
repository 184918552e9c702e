import type { ReactNode } from 'react'
import { PaneShareButtons } from '../../features/connections/code/ShareButtons.tsx'
import { connectionTexts as texts } from '../../features/connections/texts.ts'
import { EmptyPane } from '../../ui/feedback/EmptyState.tsx'
import { Assurances } from './Assurances.tsx'

interface NoChatProps {
  heading: ReactNode
  code: string
  hasConnections: boolean
}

export function NoChat({ heading, code, hasConnections }: NoChatProps) {
  return (
    <main className="chat chat-none" id="main" tabIndex={-1}>
      {heading}
      <EmptyPane title={texts.select} actions={<PaneShareButtons code={code} />}>
        {hasConnections ? texts.selectHintSome : texts.selectHint}
      </EmptyPane>
      <Assurances />
    </main>
  )
}
