import { useEffect } from 'react'
import type { Client } from '@privity/client'
import { createStore, type Store } from '@privity/client/store'
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

/** Finds the drafts of earlier visits. */
export function useDraftMarks(client: Client): void {
  useEffect(() => {
    const find = async () => {
      for (const id of await client.drafts.listConversations()) markDraft(id, true)
    }
    find().catch((error: unknown) => console.error(error))
  }, [client])
}
