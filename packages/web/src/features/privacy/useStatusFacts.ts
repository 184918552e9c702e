import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { queryClient } from '../../app/queryClient.ts'
import { userQuery } from '../../app/session.ts'
import type { KeyStorage, StatusFacts } from './statusItems.ts'
import { useClientEvents } from '../../app/useClientEvents.ts'

const queryKey = ['security-status'] as const
const changes = [
  'second_factor_changed',
  'sessions_changed',
  'trust_changed',
  'connection_created',
  'connection_removed',
  'resync',
] as const

async function keyStorage(): Promise<KeyStorage> {
  if (!window.isSecureContext) return 'unsafe'
  return (await navigator.storage.persisted()) ? 'kept' : 'mayGo'
}

async function gather(client: Client): Promise<StatusFacts> {
  const [security, trust, sessions, storage, secondFactor] = await Promise.all([
    client.privacy.securityFacts(),
    client.trust.states(),
    client.ownAccount.sessions(),
    keyStorage(),
    client.secondFactor.state(),
  ])
  const isRecoveryKeyUnsaved = queryClient.getQueryData(userQuery.queryKey)?.recoveryKeyUnsaved === true
  const now = client.now()
  return { now, security, trust: [...trust.values()], sessions, storage, secondFactor, isRecoveryKeyUnsaved }
}

export const refreshStatus = () => queryClient.invalidateQueries({ queryKey })
const refresh = () => void refreshStatus()

/** Refetched when the page is opened and when one of the facts changes. */
export function useStatusFacts(client: Client) {
  useClientEvents(client, Object.fromEntries(changes.map((name) => [name, refresh])))
  return useQuery({ queryKey, queryFn: () => gather(client), refetchOnMount: 'always' })
}

/** Requests persistent storage for this site; returns whether the browser granted it. */
export async function keepStorage(): Promise<boolean> {
  const kept = await navigator.storage.persist()
  refresh()
  return kept
}
