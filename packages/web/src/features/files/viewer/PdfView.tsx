import { useEffect, useRef, useState } from 'react'
import { messageFor } from '../../../app/callError.ts'
import { coreTexts } from '../../../app/texts.ts'
import { AfterDelay, longWait } from '../../../ui/feedback/Progress.tsx'
import { openPdf, type Pdf } from './pdfDocument.ts'
import type { Size } from './zoom.ts'
import { viewerTexts as texts } from './texts.ts'

interface PdfViewProps {
  file: Blob
  page: number
  zoom: number
  room: Size
  onPages: (count: number) => void
  onFailed: (why: string) => void
}

const isProtected = (error: unknown) => error instanceof Error && error.name === 'PasswordException'

/** One page at a time, so that a long document needs no more memory than a short one. */
export function PdfView({ file, page, zoom, room, onPages, onFailed }: PdfViewProps) {
  const [pdf, setPdf] = useState<Pdf>()
  useEffect(() => {
    const left = new AbortController()
    let opened: Pdf | undefined
    async function open() {
      opened = await openPdf(new Uint8Array(await file.arrayBuffer()))
      if (left.signal.aborted) return opened.close()
      setPdf(opened)
      onPages(opened.pageCount)
    }
    open().catch((error: unknown) => {
      if (!left.signal.aborted) onFailed(isProtected(error) ? texts.protected : messageFor(error, texts.notShown))
    })
    return () => {
      left.abort()
      opened?.close()
    }
  }, [file, onPages, onFailed])
  if (pdf) return <PdfPage pdf={pdf} page={page} zoom={zoom} room={room} onFailed={onFailed} />
  return (
    <AfterDelay delay={longWait}>
      <p role="status">{coreTexts.stillLoading}</p>
    </AfterDelay>
  )
}

interface PdfPageProps extends Pick<PdfViewProps, 'page' | 'zoom' | 'room' | 'onFailed'> {
  pdf: Pdf
}

function PdfPage({ pdf, page, zoom, room, onFailed }: PdfPageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [size, setSize] = useState<Size>()
  const [text, setText] = useState('')
  const fit = size ? room.width / size.width : undefined
  const scale = fit === undefined ? undefined : Math.min(fit, 1.6) * zoom

  useEffect(() => {
    let isCurrent = true
    setText('')
    const load = async () => {
      const [next, words] = await Promise.all([pdf.sizeOf(page), pdf.textOf(page)])
      if (!isCurrent) return
      setSize(next)
      setText(words)
    }
    load().catch(() => isCurrent && onFailed(texts.notShown))
    return () => void (isCurrent = false)
  }, [pdf, page, onFailed])

  useEffect(() => {
    if (!canvas.current || scale === undefined) return
    const left = new AbortController()
    pdf.draw(page, canvas.current, scale, left.signal).catch(() => {
      if (!left.signal.aborted) onFailed(texts.notShown)
    })
    return () => left.abort()
  }, [pdf, page, scale, onFailed])

  return (
    <>
      <canvas
        // A new one for each page and scale: a drawing that is cancelled may still hold the former.
        key={`${page} ${scale}`}
        ref={canvas}
        aria-hidden="true"
        style={size && scale ? { width: size.width * scale, height: size.height * scale } : undefined}
      />
      <div className="sr">{text}</div>
    </>
  )
}
