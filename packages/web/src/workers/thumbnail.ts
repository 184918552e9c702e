import type { FileCrypto } from '@privity/client'
// oxlint-disable-next-line import/default -- Vite provides it: the address of the Worker's file
import workerUrl from './thumbnailWorker.ts?worker&url'
import type { ThumbnailAnswer, ThumbnailJob } from './thumbnailWorker.ts'
import { runInWorker } from './run.ts'

/** A picture is decoded whole, at 4 bytes a pixel, before it is drawn small. */
const maxPixels = 80_000_000
const maxBytes = 40 * 1024 * 1024

/** The size of a picture as its orientation shows it. Nothing is decoded for it but the head of the file. */
async function sizeOf(picture: Blob): Promise<{ width: number; height: number }> {
  const url = URL.createObjectURL(picture)
  try {
    const image = new Image()
    await new Promise((resolve, reject) => {
      image.addEventListener('load', resolve)
      image.addEventListener('error', reject)
      image.src = url
    })
    return { width: image.naturalWidth, height: image.naturalHeight }
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Draws a picture small in a worker, whose memory is free again afterwards. */
export const createThumbnail: NonNullable<FileCrypto['createThumbnail']> = async (picture, room, signal) => {
  if (picture.size > maxBytes) return undefined
  const size = await sizeOf(picture)
  const pixels = size.width * size.height
  if (pixels === 0 || pixels > maxPixels) return undefined
  const job: ThumbnailJob = { picture, ...size, maxBytes: room }
  return runInWorker<ThumbnailAnswer['made']>(
    workerUrl,
    job,
    ({ data }: MessageEvent<ThumbnailAnswer>, settle) => settle.resolve(data.made),
    signal,
  )
}
