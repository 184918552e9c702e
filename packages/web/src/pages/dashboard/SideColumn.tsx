import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ChevronRight } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { usePreferences } from '../../app/preferences/preferences.ts'
import { isLinkOpened } from '../../app/connectionLink.ts'
import { phone, useMediaQuery } from '../../browser/mediaQueries.ts'
import { ConnectForm } from '../../features/connections/code/ConnectForm.tsx'
import { ConnectionCode } from '../../features/connections/code/ConnectionCode.tsx'
import { ConnectionList } from '../../features/connections/list/ConnectionList.tsx'
import { connectionsQuery } from '../../features/connections/queries.ts'
import { AuthorizationCard } from '../../features/files/authorization/AuthorizationCard.tsx'
import { draftMarks, useDraftMarks } from '../../features/messages/draftMarks.ts'
import { unreadQuery } from '../../features/messages/queries.ts'
import { trustStatesQuery } from '../../features/trust/queries.ts'
import { RowSeal } from '../../features/trust/Seal.tsx'
import { Assurances } from './Assurances.tsx'
import { buttonClass } from '../../ui/button/Button.tsx'
import { useStore } from '../../ui/useStore.ts'
import { rowId } from './useFocus.ts'
import { browsersAnchor, directoryAnchor } from '../places/shownConversation.ts'
import { showConversation } from '../places/useSelection.ts'
import { dashboardTexts as texts } from '../texts.ts'

const BrowserNotice = lazy(async () => ({
  default: (await import('../../features/browsers/BrowserNotice.tsx')).BrowserNotice,
}))

const OfflineNotice = lazy(async () => ({
  default: (await import('../../app/reload/OfflineNotice.tsx')).OfflineNotice,
}))

const UnsavedRecoveryKey = lazy(async () => ({
  default: (await import('../../features/recoveryKey/UnsavedRecoveryKey.tsx')).UnsavedRecoveryKey,
}))

const AnnouncedFactor = lazy(async () => ({ default: (await import('./AnnouncedFactor.tsx')).AnnouncedFactor }))

const LanguageOffer = lazy(async () => ({ default: (await import('./LanguageOffer.tsx')).LanguageOffer }))

interface SideColumnProps {
  client: Client
  user: User
  currentId: string | undefined
  onSelect: (connectionId: string) => void
  /** On a phone the column is the page's main content, with this heading. */
  heading: ReactNode
  asMain: boolean
  reviewing: boolean
  onReviewing: (open: boolean) => void
}

export function SideColumn(props: SideColumnProps) {
  const { client, user, currentId, onSelect, heading, asMain, reviewing, onReviewing } = props
  const list = useQuery(connectionsQuery(client))
  const { preferences, policy } = usePreferences()
  const unread = useQuery(unreadQuery(client, preferences)).data
  const drafts = useStore(draftMarks)
  useDraftMarks(client)
  const seals = useQuery(trustStatesQuery(client)).data
  const keyReview = {
    isChanged: (id: string) => seals?.get(id) === 'changed',
    open(id: string) {
      onReviewing(false)
      showConversation(id, { sheet: true })
    },
  }
  const isFolded = useMediaQuery(phone) && (list.data?.length ?? 0) > 0
  const pairing = (
    <>
      <ConnectionCode code={user.connectionCode} />
      <ConnectForm capitals client={client} onConnected={(made) => onSelect(made.id)} />
    </>
  )
  return (
    <div
      className="side"
      role={asMain ? 'main' : 'complementary'}
      id={asMain ? 'main' : undefined}
      tabIndex={asMain ? -1 : undefined}
      aria-label={texts.connections}
    >
      {asMain && heading}
      <Suspense>
        <OfflineNotice />
        <UnsavedRecoveryKey user={user} />
        <AnnouncedFactor client={client} />
        <LanguageOffer client={client} userId={user.id} />
        <BrowserNotice client={client} page={`/account-settings#${browsersAnchor}`} />
      </Suspense>
      {!isFolded && pairing}
      <ConnectionList
        list={list}
        ownId={user.id}
        currentId={currentId}
        unreadOf={(id) => unread?.find((each) => each.connectionId === id)?.count ?? 0}
        sealOf={(id) => <RowSeal state={seals?.get(id)} />}
        hasDraft={(id) => drafts.has(id)}
        rowId={rowId}
        onSelect={(connection) => onSelect(connection.id)}
        emptyAction={
          policy.directory && (
            <Link className={buttonClass()} href={`/connection-management#${directoryAnchor}`} data-keep-clear="">
              {texts.findColleague}
            </Link>
          )
        }
      />
      {isFolded && <Folded title={texts.pairing}>{pairing}</Folded>}
      <AuthorizationCard client={client} open={reviewing} onOpenChange={onReviewing} keyReview={keyReview} />
      <Assurances />
    </div>
  )
}

/** One row that opens to its content; open from the start if the tab holds a link to someone's code. */
function Folded({ title, children }: { title: string; children: ReactNode }) {
  const [opensAtStart] = useState(isLinkOpened.get)
  return (
    <details className="side-fold" open={opensAtStart}>
      <summary>
        <ChevronRight className="ic" />
        <h2>{title}</h2>
      </summary>
      {children}
    </details>
  )
}
