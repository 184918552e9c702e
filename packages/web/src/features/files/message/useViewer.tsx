import { type ReactNode, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import type { Client } from '@privity/client'
import { toastError } from '../../../app/callError.ts'
import { loadedSoon } from '../../../app/useWanted.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { dismissAnnouncement, toasts } from '../../../ui/toast/toastStore.ts'
import { fileTexts as texts } from '../texts.ts'
import { useDownload } from '../useTransfers.ts'
import { openInMemory, type Opening } from '../viewer/openedFile.ts'
import type { Viewer } from '../viewer/Viewer.tsx'
import { type ViewKind, viewKindOf } from '../viewer/viewable.ts'
import type { FileMessage } from './FileAccess.tsx'

interface ViewerOptions {
  client: Client
  message: FileMessage
  watermark: ReactNode
}

interface Viewing {
  opening: Opening
  Viewer: typeof Viewer
}

async function loadViewer(kind: ViewKind | undefined) {
  const loaded = await import('../viewer/Viewer.tsx')
  if (kind === 'pdf') await loaded.loadPdfView()
  return loaded
}

/** A button that opens a file inside the product, and the open viewer; empty for a kind that is not shown. */
export function useViewer({ client, message, watermark }: ViewerOptions): { button: ReactNode; viewer: ReactNode } {
  const { body, mine } = message
  const kind = viewKindOf(body)
  const transfer = useDownload(client, message.id)
  const [viewing, setViewing] = useState<Viewing>()
  const open = useMutation({
    async mutationFn() {
      const loaded = await loadedSoon(loadViewer(kind))
      if (!loaded) return
      // The toast of an event would cover the file. A warning must be read, so it stays.
      if (toasts.get()?.tone !== 'warning') dismissAnnouncement()
      setViewing({ Viewer: loaded.Viewer, opening: openInMemory(client, message) })
    },
    onError: (error) => toastError(error, texts.downloadFailed, texts.downloadFailedHint),
  })
  if (!kind) return { button: null, viewer: null }
  function close() {
    viewing?.opening.cancel()
    setViewing(undefined)
  }
  return {
    button: (
      <Button size="sm" busy={open.isPending} onClick={() => open.mutate()}>
        <Eye className="ic" />
        {texts.view}
      </Button>
    ),
    viewer: viewing && (
      <viewing.Viewer
        opening={viewing.opening}
        kind={kind}
        name={body.name}
        type={body.type}
        isOwn={mine}
        watermark={watermark}
        transfer={transfer}
        onClose={close}
      />
    ),
  }
}
