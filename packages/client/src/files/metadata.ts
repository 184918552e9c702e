import { CallError } from '../transport/callError.ts'
import { stripGif } from './gif.ts'
import { stripJpeg } from './jpeg.ts'
import { stripPng } from './png.ts'
import { stripWebp } from './webp.ts'

/** As much of a file as tells what it is. */
const headBytes = 256

type Bytes = Uint8Array<ArrayBuffer>

const startsWith = (bytes: Bytes, ...head: number[]) => head.every((byte, at) => bytes[at] === byte)
const tag = (bytes: Bytes, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

const isJpeg = (bytes: Bytes) => startsWith(bytes, 0xff, 0xd8, 0xff)
const isPng = (bytes: Bytes) => startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const isWebp = (bytes: Bytes) => tag(bytes, 0) === 'RIFF' && tag(bytes, 8) === 'WEBP'
const isGif = (bytes: Bytes) =>
  ['GIF87a', 'GIF89a'].includes(tag(bytes, 0) + String.fromCharCode(...bytes.subarray(4, 6)))
const isTakenApart = (bytes: Bytes) => isJpeg(bytes) || isPng(bytes) || isGif(bytes) || isWebp(bytes)

/** Undefined where it is not well formed. */
function strip(bytes: Bytes): Bytes[] | undefined {
  if (isJpeg(bytes)) return stripJpeg(bytes)
  if (isPng(bytes)) return stripPng(bytes)
  return isGif(bytes) ? stripGif(bytes) : stripWebp(bytes)
}

/** Brands of pictures in the container that HEIC and AVIF share (ISO/IEC 23008-12), and of Canon's raw files (CR3). */
const pictures = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'miaf', 'avif', 'avis', 'crx ']
/** TIFF, which is also what most raw files are; those of Panasonic, Olympus, Fujifilm, Minolta and Sigma; Photoshop's. */
const beginnings = [
  'II*\0',
  'MM\0*',
  'II+\0',
  'II\x1a\0',
  'MM\0+',
  'IIU\0',
  'IIRO',
  'IIRS',
  'MMOR',
  'FUJI',
  '\0MRM',
  'FOVb',
  '8BPS',
]

/** The one that a file is, and those that it can be read as. */
function brandsOf(bytes: Bytes): string[] {
  const size = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.length)
  const brands = [tag(bytes, 8)]
  for (let at = 16; at + 4 <= size; at += 4) brands.push(tag(bytes, at))
  return brands
}

/** Pictures that cameras and studios write, with place and time in them, and that are not taken apart here. */
const isOtherPicture = (bytes: Bytes): boolean =>
  (tag(bytes, 4) === 'ftyp' && brandsOf(bytes).some((brand) => pictures.includes(brand))) ||
  beginnings.includes(tag(bytes, 0)) ||
  // JPEG XL and JPEG 2000.
  ['JXL ', 'jP  '].includes(tag(bytes, 4))

/**
 * A JPEG, PNG, GIF or WebP image without its metadata (place, camera, time, comments, thumbnails); pixels, colour
 * profile and orientation stay as they are. What is no picture comes back unchanged; a picture of another kind, or one
 * that is not well formed, throws METADATA_STAYS.
 */
export async function withoutMetadata(file: Blob): Promise<Blob> {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  if (head.length < 12) return file
  if (isOtherPicture(head)) throw new CallError('METADATA_STAYS')
  if (!isTakenApart(head)) return file
  const parts = strip(new Uint8Array(await file.arrayBuffer()))
  if (!parts || parts.length === 0) throw new CallError('METADATA_STAYS')
  return new Blob(parts, { type: file.type })
}
