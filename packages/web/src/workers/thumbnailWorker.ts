import { withoutExtras } from './pictureExtras.ts'

/** The sizes of the picture are those that its orientation gives it. */
export interface ThumbnailJob {
  picture: Blob
  width: number
  height: number
  maxBytes: number
}

export type ThumbnailAnswer = { made: Uint8Array<ArrayBuffer> | undefined }

/** Longest sides (pixels) and qualities, the best first: the first thumbnail that has room is taken. */
const sides = [96, 80, 64, 48, 32]
const qualities = [0.8, 0.6, 0.4]

const sizeWithin = (side: number, { width, height }: { width: number; height: number }) => {
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

async function encode(bitmap: ImageBitmap, side: number, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height } = sizeWithin(side, bitmap)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser has no canvas.')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  const webp = await canvas.convertToBlob({ type: 'image/webp', quality })
  // A browser that cannot encode WebP returns PNG instead.
  const blob = webp.type === 'image/webp' ? webp : await canvas.convertToBlob({ type: 'image/jpeg', quality })
  return withoutExtras(new Uint8Array(await blob.arrayBuffer()))
}

async function draw({ picture, maxBytes, ...size }: ThumbnailJob): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { width, height } = sizeWithin(sides[0] as number, size)
  const resize = { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' } as const
  const bitmap = await createImageBitmap(picture, { imageOrientation: 'from-image', ...resize })
  for (const side of sides)
    for (const quality of qualities) {
      const made = await encode(bitmap, side, quality)
      if (made.length <= maxBytes) return made
    }
  return undefined
}

const answer = (made: ThumbnailAnswer['made']) => postMessage({ made } satisfies ThumbnailAnswer)
addEventListener('messageerror', () => answer(undefined))
addEventListener('message', ({ data }: MessageEvent<ThumbnailJob>) => {
  draw(data).then(answer, () => answer(undefined))
})
