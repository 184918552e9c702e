import { useState } from 'react'
import type { Client } from '@privity/client'
import { useStore } from '../../ui/useStore.ts'
import { memberTexts as texts } from './texts.ts'
import '../../ui/badge/badge.css'
import './dashboardState.css'

/** State of the socket. Screen readers announce when the connection is lost and restored, but not each attempt. */
export function LiveIndicator({ client }: { client: Client }) {
  const live = useStore(client.live)
  const [wasConnected, setWasConnected] = useState(false)
  const [news, setNews] = useState('')
  if (live === 'connected' && !wasConnected) {
    setWasConnected(true)
    if (news) setNews(texts.backAgain)
  }
  if (live === 'disconnected' && wasConnected) {
    setWasConnected(false)
    setNews(texts.lost)
  }
  return (
    <>
      {live === 'connected' ? (
        <span className="status status-success">
          <span className="dot dot-success" aria-hidden="true" />
          {texts.connected}
        </span>
      ) : (
        <span className="status muted">
          <span className="dot dot-off" aria-hidden="true" />
          {live === 'connecting' ? texts.connecting : texts.disconnected}
          {live === 'disconnected' && <span className="subtle hide-s">{texts.trying}</span>}
        </span>
      )}
      <span className="sr" role="status">
        {news}
      </span>
    </>
  )
}
