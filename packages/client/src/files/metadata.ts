import { stripJpeg } from './jpeg.ts'
import { stripPng } from './png.ts'
import { stripWebp } from './webp.ts'

type Bytes = Uint8Array<ArrayBuffer>

const startsWith = (bytes: Bytes, ...head: number[]) => head.every((byte, at) => bytes[at] === byte)
const tag = (bytes: Bytes, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

function strip(bytes: Bytes): Bytes[] | undefined {
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return stripJpeg(bytes)
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return stripPng(bytes)
  if (tag(bytes, 0) === 'RIFF' && tag(bytes, 8) === 'WEBP') return stripWebp(bytes)
  return undefined
}

/**
 * A JPEG, PNG or WebP image without its metadata (place, camera, time, comments, thumbnails); pixels, colour
 * profile and orientation stay as they are. Anything else, and what is not well formed, comes back unchanged.
 */
export async function withoutMetadata(file: Blob): Promise<Blob> {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer())
  if (head.length < 12 || strip(head) === undefined) return file
  const parts = strip(new Uint8Array(await file.arrayBuffer()))
  return parts && parts.length > 0 ? new Blob(parts, { type: file.type }) : file
}
