import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ChevronLeft, ChevronRight, Download, Minus, Plus } from 'lucide-react'
import type { Transfer } from '@privity/client'
import { saveBlob } from '../../../browser/download.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { Spinner } from '../../../ui/feedback/Progress.tsx'
import { TransferWaits } from '../FileParts.tsx'
import { ImageView } from './ImageView.tsx'
import type { Opening } from './openedFile.ts'
import { TextView } from './TextView.tsx'
import { viewerTexts as texts } from './texts.ts'
import type { ViewKind } from './viewable.ts'
import { useRoom, zoomedIn, zoomedOut } from './zoom.ts'
import './viewer.css'

/** Loaded before a PDF is downloaded, so that no download is spent where this code cannot be loaded. */
export const loadPdfView = () => import('./PdfView.tsx')
const PdfView = lazy(async () => ({ default: (await loadPdfView()).PdfView }))

interface ViewerProps {
  opening: Opening
  kind: ViewKind
  name: string
  type: string
  /** Whether it is the user's own file, which they can open as often as they like. */
  isOwn: boolean
  /** The download, while it runs. */
  transfer: Transfer | undefined
  /** Shown above the content. */
  watermark: ReactNode
  onClose: () => void
}

/** Shows a file that is held in memory only. */
export function Viewer(props: ViewerProps) {
  const { name, isOwn, onClose } = props
  return (
    <Dialog size="full" open onOpenChange={onClose} title={name} description={isOwn ? texts.own : texts.counted}>
      <ViewerBody {...props} />
    </Dialog>
  )
}

/** Apart, because the dialog's content is in the page only after the effects of what renders the dialog. */
function ViewerBody({ opening, kind, name, type, isOwn, transfer, watermark, onClose }: ViewerProps) {
  const [file, setFile] = useState<Blob>()
  const [failure, setFailure] = useState<string>()
  const [zoom, setZoom] = useState(1)
  const [page, setPage] = useState(1)
  const [pages, setPages] = useState(1)
  const scroller = useRef<HTMLDivElement>(null)
  const room = useRoom(scroller)

  useEffect(() => {
    opening.file.then(setFile, onClose)
  }, [opening, onClose])

  function turn(by: number) {
    const next = Math.min(pages, Math.max(1, page + by))
    if (next !== page) scroller.current?.scrollTo({ top: 0 })
    setPage(next)
  }

  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const actions: Record<string, () => void> = {
      '+': () => setZoom(zoomedIn),
      '=': () => setZoom(zoomedIn),
      '-': () => setZoom(zoomedOut),
      '0': () => setZoom(1),
      ...(pages > 1 && {
        ArrowLeft: () => turn(-1),
        ArrowRight: () => turn(1),
        Home: () => turn(-pages),
        End: () => turn(pages),
      }),
    }
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])

  const percent = formatNumber(zoom, { style: 'percent' })
  return (
    <div className="viewer">
      <div className="viewer-bar" data-keep-clear="">
        <span className="viewer-tools">
          <Tool name={texts.zoomOut} onClick={() => setZoom(zoomedOut)}>
            <Minus className="ic" />
          </Tool>
          <Button
            size="sm"
            variant="ghost"
            className="num viewer-zoom"
            aria-label={texts.zoom(percent)}
            onClick={() => setZoom(1)}
          >
            {percent}
          </Button>
          <Tool name={texts.zoomIn} onClick={() => setZoom(zoomedIn)}>
            <Plus className="ic" />
          </Tool>
        </span>
        {pages > 1 && (
          <span className="viewer-tools">
            <Tool name={texts.previous} disabled={page === 1} onClick={() => turn(-1)}>
              <ChevronLeft className="ic" />
            </Tool>
            <span className="num" role="status">
              <span className="sr">{texts.page(formatNumber(page), formatNumber(pages))}</span>
              <span aria-hidden="true">{`${formatNumber(page)} / ${formatNumber(pages)}`}</span>
            </span>
            <Tool name={texts.next} disabled={page === pages} onClick={() => turn(1)}>
              <ChevronRight className="ic" />
            </Tool>
          </span>
        )}
        <Button
          size="sm"
          className="end viewer-save"
          aria-label={texts.save}
          disabled={!file}
          onClick={() => file && saveBlob(name, new Blob([file], { type: type || 'application/octet-stream' }))}
        >
          <Download className="ic" />
          <span>{texts.save}</span>
        </Button>
      </div>
      <div className="viewer-frame">
        <div
          ref={scroller}
          className="viewer-scroll"
          role="region"
          aria-label={texts.content(name)}
          tabIndex={0}
          data-first=""
        >
          <div className={`viewer-${kind}`}>
            {failure && <p role="alert">{failure}</p>}
            {!failure && !file && (
              <div className="viewer-wait" role="status">
                <Spinner />
                {texts.loading}
                {transfer && <TransferWaits {...transfer} />}
              </div>
            )}
            {!failure && file && room && kind === 'text' && <TextView file={file} zoom={zoom} />}
            {!failure && file && room && kind === 'image' && (
              <ImageView file={file} name={name} zoom={zoom} room={room} onFailed={setFailure} />
            )}
            {!failure && file && room && kind === 'pdf' && (
              <Suspense>
                <PdfView file={file} page={page} zoom={zoom} room={room} onPages={setPages} onFailed={setFailure} />
              </Suspense>
            )}
          </div>
        </div>
        {watermark}
      </div>
      {/* Shown on a phone instead of the description in the dialog's head. Screen readers read that one. */}
      <p className="viewer-note" aria-hidden="true">
        {isOwn ? texts.own : texts.counted}
      </p>
    </div>
  )
}

interface ToolProps {
  name: string
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

function Tool({ name, ...button }: ToolProps) {
  return <Button size="sm" variant="ghost" icon aria-label={name} title={name} {...button} />
}
