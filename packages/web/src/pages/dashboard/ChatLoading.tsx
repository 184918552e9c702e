import type { ReactNode } from 'react'
import { coreTexts } from '../../app/texts.ts'
import { AfterDelay } from '../../ui/feedback/Skeleton.tsx'
import { Spinner } from '../../ui/button/Spinner.tsx'

/** Placeholder for the chat while its code loads. */
export function ChatComing({ heading }: { heading: ReactNode }) {
  return (
    <main className="chat chat-coming" id="main" tabIndex={-1} aria-busy="true">
      {heading}
      <AfterDelay>
        <p role="status">
          <Spinner className="ic-lg" />
          <span className="sr">{coreTexts.loading}</span>
        </p>
      </AfterDelay>
    </main>
  )
}
