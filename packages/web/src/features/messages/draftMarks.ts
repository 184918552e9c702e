import { useEffect } from 'react'
import type { Client } from '@privity/client'
import { createStore, type Store } from '@privity/client/store'
import type { Connection } from '@privity/contract/connections'
import { whenMemberLeaves } from '../../app/session.ts'

const marks = createStore<ReadonlySet<string>>(new Set())

/** Ids of conversations in which this browser keeps unsent text. */
export const draftMarks: Store<ReadonlySet<string>> = marks

whenMemberLeaves(() => marks.set(new Set()))

export function markDraft(connectionId: string, hasDraft: boolean): void {
  if (marks.get().has(connectionId) === hasDraft) return
  const others = [...marks.get()].filter((id) => id !== connectionId)
  marks.set(new Set(hasDraft ? [...others, connectionId] : others))
}

/** Limits the look-ups in the browser's storage; the list shows fewer without much scrolling. */
const maxSearched = 50

/** Finds the drafts of earlier visits once the list of connections is loaded. */
export function useDraftMarks(client: Client, connections: readonly Connection[] | undefined): void {
  const isReady = connections !== undefined
  useEffect(() => {
    if (!isReady) return
    const find = async () => {
      for (const { id } of connections.slice(0, maxSearched)) if (await client.drafts.get(id)) markDraft(id, true)
    }
    find().catch((error: unknown) => console.error(error))
    // oxlint-disable-next-line react/exhaustive-deps -- a change of the list must not start it again
  }, [client, isReady])
}
