import { lazy, Suspense, useCallback } from 'react'
import { useQuery } from '@tanstack/react-query'
import { messageFor } from '../../app/callError.ts'
import { usePreferences } from '../../app/preferences/preferences.ts'
import { useClient, useUser } from '../../app/session.ts'
import { BlockedPeople } from '../../features/connections/management/BlockedPeople.tsx'
import { CodeQr } from '../../features/connections/code/CodeQr.tsx'
import { ConnectForm } from '../../features/connections/code/ConnectForm.tsx'
import { ConnectionCode } from '../../features/connections/code/ConnectionCode.tsx'
import { FormerContacts } from '../../features/connections/management/FormerContacts.tsx'
import { ManagedConnections } from '../../features/connections/management/ManagedConnections.tsx'
import { NewCode } from '../../features/connections/code/NewCode.tsx'
import { connectionsQuery } from '../../features/connections/queries.ts'
import { managementTexts } from '../../features/connections/management/texts.ts'
import { trustStatesQuery } from '../../features/trust/queries.ts'
import { SealWithWord } from '../../features/trust/Seal.tsx'
import { Section } from '../../ui/section/Section.tsx'
import { ConnectionStatistics } from './ConnectionStatistics.tsx'
import { MemberPage } from '../member/MemberPage.tsx'
import { directoryAnchor } from '../places/shownConversation.ts'
import { showConversation } from '../places/useSelection.ts'
import { useLiveManagement } from '../../features/connections/useLiveConnections.ts'

const Directory = lazy(async () => ({
  default: (await import('../../features/connections/directory/Directory.tsx')).Directory,
}))

export function ConnectionManagement() {
  const texts = managementTexts
  const client = useClient()
  const user = useUser()
  const { directory: hasDirectory } = usePreferences().policy
  useLiveManagement(client)
  const list = useQuery(connectionsQuery(client))
  const seals = useQuery(trustStatesQuery(client)).data
  const sealOf = useCallback(
    (id: string) => {
      const state = seals?.get(id)
      return state && <SealWithWord state={state} />
    },
    [seals],
  )
  return (
    <MemberPage title={texts.title} lead={texts.lead}>
      <Section {...texts.list}>
        <ManagedConnections client={client} list={list} ownId={user.id} sealOf={sealOf} onOpen={showConversation} />
      </Section>
      <Section {...texts.create}>
        <ConnectForm
          client={client}
          words={{
            done: { title: texts.created, description: texts.createdHint },
            failed: (error) => ({ title: texts.notCreated, description: messageFor(error, texts.notCreatedHint) }),
          }}
        />
      </Section>
      {hasDirectory && (
        <Section {...texts.directory} anchor={directoryAnchor}>
          <Suspense>
            <Directory client={client} onOpen={showConversation} />
          </Suspense>
        </Section>
      )}
      <Section {...texts.code}>
        <div className="manage manage-code">
          <ConnectionCode code={user.connectionCode} />
          <CodeQr client={client} code={user.connectionCode} />
          <NewCode client={client} code={user.connectionCode} />
        </div>
      </Section>
      <Section {...texts.statistics}>
        <ConnectionStatistics client={client} connections={list.data?.length} seals={seals} />
      </Section>
      <Section {...texts.formerList}>
        <FormerContacts client={client} />
      </Section>
      <Section {...texts.blockedList}>
        <BlockedPeople client={client} />
      </Section>
    </MemberPage>
  )
}
