import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { encode } from 'uqr'
import { launch } from '../servers/browsers.ts'

/** The browser opens it whenever a page starts the camera, so a journey can write it at any time. */
const film = fileURLToPath(new URL('../../../.cache/camera.y4m', import.meta.url))
const size = { width: 640, height: 480 }
const framesPerScene = 10

const standard = launch(process.env.HEADLESS_SHELL_PATH)

/** Options that launch a browser whose camera shows what `showToCamera` has written. */
export const launchWithCamera = {
  ...standard,
  args: [
    ...standard.args,
    '--use-fake-device-for-media-stream',
    // The headless shell has no question to answer, and refuses a camera without this.
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ],
}

/** Lets the camera show the QR codes of these texts in turn, each for a second; an empty wall for ''. */
export function showToCamera(...texts: string[]): void {
  const colours = Buffer.alloc((size.width * size.height) / 2, 128)
  const scenes = texts.map((text) => Buffer.concat([Buffer.from('FRAME\n'), grayLevels(text), colours]))
  const head = Buffer.from(`YUV4MPEG2 W${size.width} H${size.height} F${framesPerScene}:1 Ip A1:1 C420jpeg\n`)
  mkdirSync(dirname(film), { recursive: true })
  writeFileSync(film, Buffer.concat([head, ...scenes.flatMap((scene) => Array(framesPerScene).fill(scene))]))
}

function grayLevels(text: string): Buffer {
  const gray = Buffer.alloc(size.width * size.height, 235)
  if (text === '') return gray
  const code = encode(text, { ecc: 'M', border: 4 })
  const scale = Math.floor(size.height / code.size)
  const left = Math.floor((size.width - code.size * scale) / 2)
  for (let y = 0; y < code.size * scale; y++)
    for (let x = 0; x < code.size * scale; x++)
      if (code.data[Math.floor(y / scale)]?.[Math.floor(x / scale)]) gray[y * size.width + left + x] = 16
  return gray
}

interface Recorder {
  cameraTracks: MediaStreamTrack[]
}

/** Records the tracks of every camera that the page starts, for `cameraStates`. */
export const recordCameras = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const cameraTracks: MediaStreamTrack[] = []
    Object.assign(globalThis, { cameraTracks } satisfies Recorder)
    const start = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await start(wanted)
      cameraTracks.push(...stream.getTracks())
      return stream
    }
  })

/** Whether the cameras that the page has started are 'live' or 'ended', in order. */
export const cameraStates = (page: Page): Promise<MediaStreamTrackState[]> =>
  page.evaluate(() => (globalThis as unknown as Recorder).cameraTracks.map(({ readyState }) => readyState))
