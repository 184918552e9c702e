import { limits } from '@privity/contract/limits'
import type { Bytes } from '@privity/e2ee'

const maxSide = limits.thumbnailSide

type PictureType = 'image/webp' | 'image/jpeg'

const tag = (bytes: Bytes, offset: number) => String.fromCharCode(...bytes.subarray(offset, offset + 4))
const isSmall = (width: number, height: number) => width > 0 && height > 0 && width <= maxSide && height <= maxSide

/** Whether it is a WebP image (RFC 9649) of one lossy picture: without animation, profile and metadata. */
function isSmallWebp(bytes: Bytes): boolean {
  if (bytes.length < 30 || tag(bytes, 0) !== 'RIFF' || tag(bytes, 8) !== 'WEBP' || tag(bytes, 12) !== 'VP8 ')
    return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const size = view.getUint32(16, true)
  const end = 20 + size + (size % 2)
  if (end !== bytes.length || view.getUint32(4, true) !== end - 8) return false
  // The start code of a key frame (RFC 6386, 9.1), then 14 bits each of width and height.
  const isKeyFrame = ((bytes[20] as number) & 1) === 0 && bytes[23] === 0x9d && bytes[24] === 0x01 && bytes[25] === 0x2a
  return isKeyFrame && isSmall(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
}

const [EOI, SOS, DQT, DHT, DRI, APP0] = [0xd9, 0xda, 0xdb, 0xc4, 0xdd, 0xe0]
/** Baseline and progressive. */
const frames = [0xc0, 0xc2]

/** Whether it is a JPEG image (ITU T.81) whose segments before the pixels are one frame and how to decode it. */
function isSmallJpeg(bytes: Bytes): boolean {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes.at(-2) !== 0xff || bytes.at(-1) !== EOI) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let frameCount = 0
  for (let offset = 2; offset + 4 <= bytes.length;) {
    const marker = view.getUint8(offset + 1)
    if (view.getUint8(offset) !== 0xff) return false
    if (marker === SOS) return frameCount === 1
    const isFrame = frames.includes(marker)
    if (!isFrame && ![DQT, DHT, DRI, APP0].includes(marker)) return false
    if (isFrame) {
      if (offset + 9 > bytes.length || !isSmall(view.getUint16(offset + 7), view.getUint16(offset + 5))) return false
      frameCount++
    }
    offset += 2 + view.getUint16(offset + 2)
  }
  return false
}

/**
 * The type of a picture that is safe to hand to the browser's decoder, by its bytes; undefined for any other. A JPEG
 * may hold a further frame behind its pixels: whoever shows it checks the size once more when it is decoded.
 */
export function smallPictureType(bytes: Bytes): PictureType | undefined {
  if (isSmallWebp(bytes)) return 'image/webp'
  return isSmallJpeg(bytes) ? 'image/jpeg' : undefined
}

/** Pictures that a browser may be able to draw. SVG is a document with links and scripts of its own. */
export const mayHaveThumbnail = ({ type }: { type: string }): boolean =>
  type.startsWith('image/') && !type.startsWith('image/svg')
