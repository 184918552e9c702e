import { useMutation } from '@tanstack/react-query'
import { CheckCheck } from 'lucide-react'
import { type Client, type DecryptedRequest, isCallError } from '@privity/client'
import { toastError } from '../../../app/callError.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { patchPending, refreshPending } from '../queries.ts'
import { fileTexts } from '../texts.ts'
import { nameOf } from './RequestRow.tsx'
import { authorizationTexts as texts } from './texts.ts'

type Several = [DecryptedRequest, DecryptedRequest, ...DecryptedRequest[]]

/** The requests of each person who waits for more than one. */
export function severalOfOne(pending: readonly DecryptedRequest[]): Several[] {
  const byPerson = Map.groupBy(pending, ({ connectionId }) => connectionId)
  return [...byPerson.values()].filter((requests): requests is Several => requests.length > 1)
}

interface ApproveAllProps {
  client: Client
  requests: Several
  onDecided: (id: string, verdict: boolean) => void
  onReviewKey: (connectionId: string) => void
}

/** Approves all requests of one person, one after the other; the first failure stops it. */
export function ApproveAll({ client, requests, onDecided, onReviewKey }: ApproveAllProps) {
  const [first] = requests
  const approve = useMutation({
    async mutationFn(all: Several) {
      for (const request of all) {
        await client.files.decide(request, true)
        onDecided(request.id, true)
        patchPending((known) => known.filter((each) => each.id !== request.id))
      }
    },
    onSuccess: (_nothing, all) =>
      toast({ title: fileTexts.accessAuthorized, description: texts.allAuthorizedHint(all.length) }),
    onError(error) {
      refreshPending()
      if (isCallError(error, 'KEY_CHANGED', 'CONTACT_UNMET', 'NAME_CHANGED')) onReviewKey(first.connectionId)
      toastError(error, fileTexts.authorizationFailed, fileTexts.authorizationFailedHint)
    },
  })
  return (
    <div className="req-all">
      <Button size="sm" busy={approve.isPending} onClick={() => approve.mutate(requests)}>
        <CheckCheck className="ic" />
        {texts.approveAll(requests.length, nameOf(first))}
      </Button>
    </div>
  )
}
