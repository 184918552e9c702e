import { CallError } from '../transport/callError.ts'
import { stripGif } from './gif.ts'
import { stripJpeg } from './jpeg.ts'
import { stripPng } from './png.ts'
import { stripWebp } from './webp.ts'

/** Bytes that suffice to recognize a file's format. */
const headBytes = 256

type Bytes = Uint8Array<ArrayBuffer>

const startsWith = (bytes: Bytes, ...head: number[]) => head.every((byte, at) => bytes[at] === byte)
const tag = (bytes: Bytes, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

const isJpeg = (bytes: Bytes) => startsWith(bytes, 0xff, 0xd8, 0xff)
const isPng = (bytes: Bytes) => startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const isWebp = (bytes: Bytes) => tag(bytes, 0) === 'RIFF' && tag(bytes, 8) === 'WEBP'
const isGif = (bytes: Bytes) =>
  ['GIF87a', 'GIF89a'].includes(tag(bytes, 0) + String.fromCharCode(...bytes.subarray(4, 6)))
const isSupported = (bytes: Bytes) => isJpeg(bytes) || isPng(bytes) || isGif(bytes) || isWebp(bytes)

/** Returns the parts to keep; undefined or [] if malformed. */
function strip(bytes: Bytes): Bytes[] | undefined {
  if (isJpeg(bytes)) return stripJpeg(bytes)
  if (isPng(bytes)) return stripPng(bytes)
  return isGif(bytes) ? stripGif(bytes) : stripWebp(bytes)
}

/** Brands of HEIC and AVIF, which share a container (ISO/IEC 23008-12), and of Canon's raw files (CR3). */
const pictures = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'miaf', 'avif', 'avis', 'crx ']
/**
 * First bytes of TIFF, the base of most raw formats, of the raw formats of Panasonic, Olympus, Fujifilm, Minolta and
 * Sigma, and of Photoshop files.
 */
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

/** Returns the major brand of a file and its compatible brands. */
function brandsOf(bytes: Bytes): string[] {
  const size = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.length)
  const brands = [tag(bytes, 8)]
  for (let at = 16; at + 4 <= size; at += 4) brands.push(tag(bytes, at))
  return brands
}

/** Whether it is a picture of another format, which may hold place and time and is not supported here. */
const isOtherPicture = (bytes: Bytes): boolean =>
  (tag(bytes, 4) === 'ftyp' && brandsOf(bytes).some((brand) => pictures.includes(brand))) ||
  beginnings.includes(tag(bytes, 0)) ||
  // JPEG XL and JPEG 2000.
  ['JXL ', 'jP  '].includes(tag(bytes, 4))

/**
 * Removes the metadata (place, camera, time, comments, thumbnails) of a JPEG, PNG, GIF or WebP image; pixels, colour
 * profile and orientation stay. Other files are returned unchanged. Throws METADATA_STAYS for malformed images and
 * other picture formats.
 */
export async function removeMetadata(file: Blob): Promise<Blob> {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  if (head.length < 12) return file
  if (isOtherPicture(head)) throw new CallError('METADATA_STAYS')
  if (!isSupported(head)) return file
  const parts = strip(new Uint8Array(await file.arrayBuffer()))
  if (!parts || parts.length === 0) throw new CallError('METADATA_STAYS')
  return new Blob(parts, { type: file.type })
}
