import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { useDateTime } from '../../i18n/dateTime.ts'
import { useStore } from '../../ui/useStore.ts'
import { Button } from '../../ui/button/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Fact } from '../../ui/panel/Fact.tsx'
import { Section } from '../../ui/section/Section.tsx'
import { healthQuery } from './queries.ts'
import { supportTexts } from './texts.ts'
import '../../ui/badge/badge.css'
import './support.css'

const looks = {
  good: 'badge-success',
  connected: 'badge-success',
  warning: 'badge-warning',
  draining: 'badge-warning',
  connecting: 'badge-warning',
  critical: 'badge-critical',
  unreachable: 'badge-critical',
  disconnected: 'badge-critical',
  checking: 'badge-outline',
}

/** Shows the server's health and the state of this browser's socket, kept current. */
export function SystemStatus({ client }: { client: Client }) {
  const { formatTime } = useDateTime()
  const texts = supportTexts.status
  const health = useQuery(healthQuery(client))
  const live = useStore(client.live)
  const server = health.data?.status ?? 'checking'
  return (
    <Section title={texts.title} lead={texts.lead}>
      <div role="status">
        <dl className="support-facts">
          <Fact label={texts.server}>
            <span className={classes('badge', looks[server])}>{texts.serverStates[server]}</span>
          </Fact>
          <Fact label={texts.live}>
            <span className={classes('badge', looks[live])}>{texts.liveStates[live]}</span>
          </Fact>
          {health.data?.version && <Fact label={texts.version}>{`v${health.data.version}`}</Fact>}
        </dl>
      </div>
      <div className="support-acts">
        <Button size="sm" busy={health.isFetching} onClick={() => void health.refetch()}>
          {health.isFetching ? texts.checking : texts.check}
        </Button>
        {health.data && <span className="hint num">{texts.checkedAt(formatTime(health.data.at))}</span>}
      </div>
    </Section>
  )
}
