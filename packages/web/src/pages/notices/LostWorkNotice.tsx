import { useEffect, useState } from 'react'
import type { Client } from '@privity/client'
import { Button } from '../../ui/button/Button.tsx'
import { uiTexts } from '../../ui/texts.ts'
import { noticeTexts as texts } from './texts.ts'

/** Shows, until dismissed, that unsent messages and drafts were removed from this browser because no key opens them. */
export function LostWorkNotice({ client }: { client: Pick<Client, 'on'> }) {
  const [lost, setLost] = useState(0)
  useEffect(() => client.on('work_lost', ({ count }) => setLost((before) => before + count)), [client])
  return lost > 0 && <LostWork count={lost} onDismiss={() => setLost(0)} />
}

export function LostWork({ count, onDismiss }: { count: number; onDismiss: () => void }) {
  return (
    <div className="update">
      <p>
        <b>{texts.lostWork}</b>
        {texts.lostWorkHint(count)}
      </p>
      <Button size="sm" onClick={onDismiss}>
        {uiTexts.dismiss}
      </Button>
    </div>
  )
}
