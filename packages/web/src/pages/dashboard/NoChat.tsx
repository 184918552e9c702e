import type { ReactNode } from 'react'
import { PaneShareButtons } from '../../features/connections/code/ShareButtons.tsx'
import { connectionTexts as texts } from '../../features/connections/texts.ts'
import { EmptyPane } from '../../ui/feedback/EmptyState.tsx'
import { Assurances } from './Assurances.tsx'
import { StillLoading } from '../../app/screens/StartScreens.tsx'
import { coreTexts } from '../../app/texts.ts'
import { AfterDelay, Spinner } from '../../ui/feedback/Progress.tsx'

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

/** Placeholder for the chat while its code loads. */
export function ChatLoading({ heading }: { heading: ReactNode }) {
  return (
    <main className="chat chat-coming" id="main" tabIndex={-1} aria-busy="true">
      {heading}
      <AfterDelay>
        <p role="status">
          <Spinner className="ic-lg" />
          <span className="sr">{coreTexts.loading}</span>
        </p>
      </AfterDelay>
      <StillLoading />
    </main>
  )
}
