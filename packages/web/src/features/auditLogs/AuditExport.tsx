import { useMutation } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import type { Client } from '@privity/client'
import type { AuditExportFormat } from '@privity/contract/auditLogs'
import { openDownload } from '../../browser/download.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Menu, MenuItem } from '../../ui/overlay/Menu.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { refreshAuditLogs } from './queries.ts'
import { auditTexts } from './texts.ts'
import { toastError } from '../../app/callError.ts'

const formats = ['jsonl', 'csv'] as const

/** Downloads the whole log: as JSON Lines with the proof that it was not changed, or as a CSV table. */
export function AuditExport({ client: { auditLogs } }: { client: Client }) {
  const texts = auditTexts.export
  const make = useMutation({
    mutationFn: (format: AuditExportFormat) => auditLogs.createExport(format),
    onSuccess({ name, downloadURL }, format) {
      openDownload(downloadURL, name)
      toast({ title: texts.done, description: texts.doneHint[format](name) })
      void refreshAuditLogs()
    },
    onError: (error) => toastError(error, texts.failed, texts.failedHint),
  })
  return (
    <Menu
      label={texts.button}
      trigger={
        <Button size="sm" busy={make.isPending} title={texts.hint}>
          {!make.isPending && <FileDown className="ic" />}
          {make.isPending ? texts.busy : texts.button}
        </Button>
      }
    >
      {formats.map((format) => (
        <MenuItem key={format} className="adm-export" onSelect={() => make.mutate(format)}>
          <span>
            {texts.formats[format].label}
            <span className="adm-by">{texts.formats[format].hint}</span>
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}
