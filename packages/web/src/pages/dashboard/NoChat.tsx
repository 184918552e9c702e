import { PaneShareButtons } from '../../features/connections/ShareButtons.tsx'
import { connectionTexts as texts } from '../../features/connections/texts.ts'
import { EmptyPane } from '../../ui/EmptyState.tsx'
import { Assurances } from './Assurances.tsx'

export function NoChat({ code, hasConnections }: { code: string; hasConnections: boolean }) {
  return (
    <main className="chat chat-none" id="main" tabIndex={-1}>
      <EmptyPane title={texts.select} actions={<PaneShareButtons code={code} />}>
        {hasConnections ? texts.selectHintSome : texts.selectHint}
      </EmptyPane>
      <Assurances />
    </main>
  )
}
