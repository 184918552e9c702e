import { AnnotationMode, getDocument, type PDFDocumentProxy, PDFWorker, version } from 'pdfjs-dist'
// oxlint-disable-next-line import/default -- Vite provides it: the address of the Worker's file
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?worker&url'
import { startWorker } from '../../../browser/trustedTypes.ts'
import { rejectOnFailure } from '../../../workers/run.ts'
import type { Size } from './zoom.ts'

/** Where the build puts what the worker loads (pdfAssets.ts). */
const assets = `/assets/pdf-${version}/`

/** Larger images inside a PDF are left out. */
const maxImagePixels = 64_000_000
/** Larger pages are drawn less sharp. */
const maxCanvasPixels = 16_000_000

export interface Pdf {
  pageCount: number
  /** The size of a page at 100 %, in CSS pixels. */
  sizeOf(page: number): Promise<Size>
  /** Draws a page; resolves when it is done. */
  draw(page: number, canvas: HTMLCanvasElement, scale: number, signal: AbortSignal): Promise<void>
  /** The text of a page, for screen readers. */
  textOf(page: number): Promise<string>
  close(): void
}

/**
 * Opens a PDF in a worker of its own. Only pages are drawn, with the appearance that annotations and fields bring
 * along: no script runs, no link or form works, and nothing is fetched but character maps and decoders of our own
 * origin. Rejects with PasswordException, InvalidPDFException or, if the worker cannot be loaded, CallError.
 */
export async function openPdf(data: Uint8Array<ArrayBuffer>): Promise<Pdf> {
  const port = startWorker(workerUrl)
  // pdf.js would wait for a worker that never starts.
  const { promise: unloaded, reject } = Promise.withResolvers<never>()
  rejectOnFailure(port, reject)
  const worker = PDFWorker.create({ port })
  const task = getDocument({
    data,
    worker,
    cMapUrl: `${assets}cmaps/`,
    wasmUrl: `${assets}wasm/`,
    useWorkerFetch: true,
    useSystemFonts: true,
    enableXfa: false,
    disableWorkerRendering: true,
    maxImageSize: maxImagePixels,
    verbosity: 0,
  })
  function close() {
    void task.destroy().catch(() => {})
    worker.destroy()
    port.terminate()
  }
  const document = await Promise.race([task.promise, unloaded]).catch((error: unknown) => {
    close()
    throw error
  })
  return { ...pagesOf(document), close }
}

const pagesOf = (document: PDFDocumentProxy): Omit<Pdf, 'close'> => ({
  pageCount: document.numPages,
  async sizeOf(number) {
    const { width, height } = (await document.getPage(number)).getViewport({ scale: 1 })
    return { width, height }
  },
  async draw(number, canvas, scale, signal) {
    const page = await document.getPage(number)
    signal.throwIfAborted()
    const { width, height } = page.getViewport({ scale })
    const sharpness = Math.min(devicePixelRatio, Math.sqrt(maxCanvasPixels / (width * height)))
    const viewport = page.getViewport({ scale: scale * sharpness })
    canvas.width = Math.ceil(viewport.width)
    canvas.height = Math.ceil(viewport.height)
    const drawing = page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE })
    signal.addEventListener('abort', () => drawing.cancel())
    await drawing.promise
  },
  async textOf(number) {
    const { items } = await (await document.getPage(number)).getTextContent()
    return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  },
})
