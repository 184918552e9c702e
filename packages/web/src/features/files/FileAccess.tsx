import { lazy, Suspense, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { RecipientAccess } from '@privity/contract/files'
import { limits } from '@privity/contract/limits'
import { sentenceOf } from '../../core/callError.ts'
import { Button } from '../../ui/Button.tsx'
import { Pips } from '../../ui/Pips.tsx'
import { toast } from '../../ui/toastStore.ts'
import { refreshStatus } from './queries.ts'
import { fileTexts as texts } from './texts.ts'

const Confirm = lazy(async () => ({ default: (await import('../../ui/Confirm.tsx')).Confirm }))

interface FileAccessProps {
  client: Client
  filePath: string
  name: string
  recipient: string
  access: RecipientAccess
  onReview: () => void
}

const most = limits.downloadsPerAuthorization

/** Under one's own file: whether the other party has asked, may download, or was denied; and revoking. */
export function FileAccess({ client, filePath, name, recipient, access, onReview }: FileAccessProps) {
  const [asking, setAsking] = useState(false)
  const revoke = useMutation({
    mutationFn: () => client.files.revoke(access.authorizationId),
    onSuccess() {
      setAsking(false)
      refreshStatus(filePath)
      toast({ title: texts.accessDenied, description: texts.accessRevoked })
    },
    onError(error) {
      toast({
        title: texts.authorizationFailed,
        description: sentenceOf(error, texts.authorizationFailedHint),
        tone: 'destructive',
      })
    },
  })

  if (access.status === 'pending')
    return (
      <div className="file-access">
        <span>{texts.waits(recipient)}</span>
        <Button size="sm" className="end" onClick={onReview}>
          {texts.review}
        </Button>
      </div>
    )
  if (access.status === 'denied') return <div className="file-access">{texts.refused(recipient)}</div>
  const left = access.downloadsLeft ?? 0
  return (
    <div className="file-access">
      <Pips left={left} of={most} />
      <span>{texts.hasAccess(recipient, left, most)}</span>
      {left > 0 && (
        <Button size="sm" variant="danger-quiet" className="end" onClick={() => setAsking(true)}>
          {texts.revoke}
        </Button>
      )}
      {asking && (
        <Suspense>
          <Confirm
            open={asking}
            onOpenChange={setAsking}
            title={texts.revokeTitle(recipient)}
            description={texts.revokeHint(recipient, name)}
            confirmLabel={texts.revokeConfirm}
            busyLabel={texts.processing}
            busy={revoke.isPending}
            onConfirm={() => revoke.mutate()}
          />
        </Suspense>
      )}
    </div>
  )
}
