import { useMutation } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import type { Client } from '@privity/client'
import { sentenceOf } from '../../core/callError.ts'
import { openDownload } from '../../core/openDownload.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toastStore.ts'
import { refreshAuditLogs } from './queries.ts'
import { auditTexts } from './texts.ts'

/** The whole log in one file, with the proof that none of it was changed. */
export function AuditExport({ client: { auditLogs } }: { client: Client }) {
  const texts = auditTexts.export
  const make = useMutation({
    mutationFn: () => auditLogs.createExport(),
    onSuccess({ name, downloadURL }) {
      openDownload(downloadURL, name)
      toast({ title: texts.done, description: texts.doneHint(name) })
      void refreshAuditLogs()
    },
    onError: (error) =>
      toast({ title: texts.failed, description: sentenceOf(error, texts.failedHint), tone: 'destructive' }),
  })
  return (
    <Button size="sm" busy={make.isPending} title={texts.hint} onClick={() => make.mutate()}>
      {!make.isPending && <FileDown className="ic" />}
      {make.isPending ? texts.busy : texts.button}
    </Button>
  )
}
