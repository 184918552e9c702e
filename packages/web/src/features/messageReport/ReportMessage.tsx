import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { type Client, isCallError, type DecryptedMessage } from '@privity/client'
import { limits } from '@privity/contract/limits'
import { messageFor } from '../../app/callError.ts'
import { Dialog, DialogButtons } from '../../ui/dialog/Dialog.tsx'
import { FormError } from '../../ui/feedback/Errors.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { messageReportTexts as texts } from './texts.ts'
import './messageReport.css'

interface ReportMessageProps {
  client: Client
  message: DecryptedMessage
  /** First name of the message's author. */
  firstName: string
  onClose: () => void
}

/** The message for a failed report: own texts for two codes, else the server's. */
function problemOf(error: unknown): string {
  if (isCallError(error, 'REPORTING_NOT_SET_UP')) return texts.notSetUp
  if (isCallError(error, 'MESSAGE_NOT_FOUND')) return texts.gone
  return messageFor(error, texts.failedHint)
}

const characters = (text: string) => Array.from(text).length

/** Asks for confirmation before a message is reported, and explains what is disclosed to whom. */
export function ReportMessage({ client, message, firstName, onClose }: ReportMessageProps) {
  const [reason, setReason] = useState('')
  const report = useMutation({
    mutationFn: () => client.reports.message(message, reason),
    onSuccess() {
      toast({ title: texts.done, description: texts.doneHint })
      onClose()
    },
  })
  const { body } = message
  const tooLong = characters(reason) > limits.reportReasonCharacters
  return (
    <Dialog
      open
      onOpenChange={(open) => open || report.isPending || onClose()}
      title={texts.title}
      description={texts.sent(firstName)}
      footer={
        <DialogButtons
          tone="danger"
          label={texts.report}
          busyLabel={texts.reporting}
          busy={report.isPending}
          disabled={tooLong}
          onConfirm={() => report.mutate()}
          onCancel={onClose}
        />
      }
    >
      <div className="report">
        <p>
          {texts.sealed} {texts.silent(firstName)}
        </p>
        <blockquote dir="auto" aria-label={texts.message}>
          {body.kind === 'text' ? body.text : body.kind === 'file' && texts.file(body.name)}
        </blockquote>
        <Field
          label={texts.reason}
          hint={texts.count(characters(reason), limits.reportReasonCharacters)}
          error={tooLong ? texts.count(characters(reason), limits.reportReasonCharacters) : undefined}
        >
          {(control) => (
            <textarea
              {...control}
              className="input"
              rows={3}
              autoComplete="off"
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <FormError title={texts.failed} message={report.isError ? problemOf(report.error) : undefined} />
      </div>
    </Dialog>
  )
}
