import { lazy, Suspense, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { type Client, type DecryptedMessage, isCallError } from '@privity/client'
import type { RecipientAccess } from '@privity/contract/files'
import { limits } from '@privity/contract/limits'
import { Button } from '../../../ui/button/Button.tsx'
import { RemainingDots } from '../../../ui/indicator/Remaining.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { patchStatus, refreshStatus } from '../queries.ts'
import { fileTexts as texts } from '../texts.ts'
import { toastError } from '../../../app/callError.ts'
import { CodeLoading } from '../../../app/useWanted.ts'

const Confirm = lazy(async () => ({ default: (await import('../../../ui/dialog/Confirm.tsx')).Confirm }))

export type FileMessage = DecryptedMessage & { body: { kind: 'file' }; filePath: string }

interface FileAccessProps {
  client: Client
  message: FileMessage
  recipient: string
  access: RecipientAccess
  onReview: () => void
  /** Opens the review of the recipient's changed key. */
  onReviewKey: () => void
}

const maxDownloads = limits.downloadsPerAuthorization

/** Below the user's own file once it was requested: the recipient's access, which the owner can change. */
export function FileAccess({ client, message, recipient, access, onReview, onReviewKey }: FileAccessProps) {
  const left = access.downloadsLeft
  if (access.status === 'pending')
    return (
      <div className="file-access">
        <span>{texts.waits(recipient)}</span>
        <Button size="sm" className="end" onClick={onReview}>
          {texts.review}
        </Button>
      </div>
    )
  if (access.status === 'denied')
    return (
      <div className="file-access">
        <span>{texts.refused(recipient)}</span>
        <AllowButton client={client} message={message} access={access} label={texts.allow} onReviewKey={onReviewKey} />
      </div>
    )
  return (
    <div className="file-access">
      <RemainingDots left={left} of={maxDownloads} />
      <span>{left > 0 ? texts.hasAccess(recipient, left, maxDownloads) : texts.usedUp(recipient)}</span>
      {left > 0 ? (
        <RevokeButton client={client} message={message} access={access} recipient={recipient} />
      ) : (
        <AllowButton
          client={client}
          message={message}
          access={access}
          label={texts.allowAgain}
          onReviewKey={onReviewKey}
        />
      )}
    </div>
  )
}

function notSaved(error: unknown, filePath: string): void {
  refreshStatus(filePath)
  toastError(error, texts.authorizationFailed, texts.authorizationFailedHint)
}

type Deciding = Pick<FileAccessProps, 'client' | 'message' | 'access'>

type AllowProps = Deciding & Pick<FileAccessProps, 'onReviewKey'> & { label: string }

function AllowButton({ client, message, access, label, onReviewKey }: AllowProps) {
  const allow = useMutation({
    mutationFn: () => client.files.allow(message, access.authorizationId),
    onSuccess(status) {
      patchStatus(message.filePath, status)
      toast({ title: texts.accessAuthorized, description: texts.accessAuthorizedHint })
    },
    onError(error) {
      notSaved(error, message.filePath)
      if (isCallError(error, 'KEY_CHANGED', 'CONTACT_UNMET', 'NAME_CHANGED')) onReviewKey()
    },
  })
  return (
    <Button size="sm" className="end" busy={allow.isPending} onClick={() => allow.mutate()}>
      {label}
    </Button>
  )
}

function RevokeButton({ client, message, access, recipient }: Deciding & { recipient: string }) {
  const [asking, setAsking] = useState(false)
  const revoke = useMutation({
    mutationFn: () => client.files.revoke(access.authorizationId),
    onSuccess(status) {
      setAsking(false)
      patchStatus(message.filePath, status)
      toast({ title: texts.accessRevoked, description: texts.accessRevokedHint })
    },
    onError: (error) => notSaved(error, message.filePath),
  })
  return (
    <>
      <Button size="sm" variant="danger-quiet" className="end" onClick={() => setAsking(true)}>
        {texts.revoke}
      </Button>
      {asking && (
        <Suspense fallback={<CodeLoading />}>
          <Confirm
            open={asking}
            onOpenChange={setAsking}
            title={texts.revokeTitle(recipient)}
            description={texts.revokeHint(recipient, message.body.name)}
            confirmLabel={texts.revokeConfirm}
            busyLabel={texts.processing}
            busy={revoke.isPending}
            onConfirm={() => revoke.mutate()}
          />
        </Suspense>
      )}
    </>
  )
}
