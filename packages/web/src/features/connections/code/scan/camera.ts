import { readScanned, type ScannedCode } from './scannedCode.ts'

/** Progress of a scan; those of `CameraFailure` end it. */
export type ScanState = 'asking' | 'reading' | 'slow' | 'foreign' | 'other' | CameraFailure
export type CameraFailure = 'denied' | 'noCamera' | 'inUse' | 'failed'

interface ScanListener {
  onState: (state: ScanState) => void
  onFound: (scanned: ScannedCode) => void
}

/** The part of BarcodeDetector in use, which TypeScript does not declare. */
interface Detector {
  detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
interface DetectorClass {
  new (options: { formats: 'qr_code'[] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

const options = { formats: ['qr_code' as const] }
const readIntervalMs = 150
const slowAfterMs = 8_000

/** The browser's own detector where it reads QR codes, else the library's. */
async function createDetector(): Promise<Detector> {
  const Own = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector
  const isOwnUsable = Own !== undefined && (await Own.getSupportedFormats()).includes('qr_code')
  if (!isOwnUsable) return createLibraryDetector()
  let detector: Detector = new Own(options)
  return {
    async detect(image) {
      try {
        return await detector.detect(image)
      } catch {
        // Some browsers name the format and lack the service that reads it.
        detector = await createLibraryDetector()
        return detector.detect(image)
      }
    },
  }
}

async function createLibraryDetector(): Promise<Detector> {
  const library = await import('qr/decode.js')
  return new library.BarcodeDetector(options)
}

const failures: Record<string, CameraFailure> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'noCamera',
  OverconstrainedError: 'noCamera',
  NotReadableError: 'inUse',
  AbortError: 'inUse',
}

/** Maps what getUserMedia or the reader threw to the sentence that is shown. */
export const cameraFailure = (error: unknown): CameraFailure =>
  (error instanceof Error && failures[error.name]) || 'failed'

/**
 * Shows the camera in `video` and reads QR codes until one can be connected with. The camera stops while the page is
 * hidden. Returns what stops it for good.
 */
export function scanCodes(video: HTMLVideoElement, listener: ScanListener): () => void {
  let stop = () => {}

  function followVisibility() {
    stop()
    if (!document.hidden) stop = startScan(video, listener)
  }

  followVisibility()
  document.addEventListener('visibilitychange', followVisibility)
  return () => {
    document.removeEventListener('visibilitychange', followVisibility)
    stop()
  }
}

function startScan(video: HTMLVideoElement, { onState, onFound }: ScanListener): () => void {
  let isStopped = false
  let stream: MediaStream | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function stop() {
    isStopped = true
    clearTimeout(timer)
    for (const track of stream?.getTracks() ?? []) track.stop()
    // A later scan may show its own stream by now.
    if (video.srcObject === stream) video.srcObject = null
  }

  function fail(error: unknown) {
    if (isStopped) return
    stop()
    onState(cameraFailure(error))
  }

  async function start() {
    onState('asking')
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1280 } } })
    // The dialog was closed or the page hidden while the browser asked.
    if (isStopped) return stop()
    for (const track of stream.getTracks())
      track.addEventListener('ended', () => fail(new DOMException('', 'NotReadableError')))
    video.srcObject = stream
    await video.play()
    const detector = await createDetector()
    if (isStopped) return
    onState('reading')
    const startedAt = performance.now()
    let isToldAny = false
    const read = async () => {
      const found = await detector.detect(video)
      if (isStopped) return
      const results = found.map(({ rawValue }) => readScanned(rawValue, location.origin))
      const result = results.find((each) => typeof each === 'object') ?? results[0]
      if (typeof result === 'object') {
        stop()
        return onFound(result)
      }
      const state = result ?? (!isToldAny && performance.now() - startedAt > slowAfterMs ? 'slow' : undefined)
      if (state !== undefined) {
        isToldAny = true
        onState(state)
      }
      timer = setTimeout(() => void read().catch(fail), readIntervalMs)
    }
    await read()
  }

  start().catch(fail)
  return stop
}
