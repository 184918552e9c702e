import { useQuery } from '@tanstack/react-query'
import { MessageSquare } from 'lucide-react'
import type { Client } from '@privity/client'
import type { Connection } from '@privity/contract/connections'
import { fullName } from '../../../i18n/names.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { managementTexts as texts } from '../management/texts.ts'
import { connectionsQuery } from '../queries.ts'

/** Returns the connection with a person; undefined without one. */
export function useConnectionOf(client: Client): (userId: string) => Connection | undefined {
  const connections = useQuery(connectionsQuery(client)).data
  return (userId) => connections?.find(({ userId1, userId2 }) => userId1 === userId || userId2 === userId)
}

interface OpenConversationProps {
  person: { firstName: string; lastName: string }
  onOpen: () => void
}

export function OpenConversation({ person, onOpen }: OpenConversationProps) {
  return (
    <Button size="sm" aria-label={texts.openWith(fullName(person))} onClick={onOpen}>
      <MessageSquare className="ic" />
      {texts.open}
    </Button>
  )
}
