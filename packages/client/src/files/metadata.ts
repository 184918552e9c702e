import type { Bytes } from '@privity/e2ee'
import { CallError } from '../transport/callError.ts'
import { stripGif, stripPng, stripWebp } from './imageChunks.ts'
import { stripJpeg } from './jpeg.ts'

/** Bytes that suffice to recognize a file's format. */
const headBytes = 256

const startsWith = (bytes: Bytes, ...head: number[]) => head.every((byte, i) => bytes[i] === byte)
const tag = (bytes: Bytes, offset: number) => String.fromCharCode(...bytes.subarray(offset, offset + 4))

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
const pictureBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'miaf', 'avif', 'avis', 'crx ']
/**
 * First bytes of TIFF, the base of most raw formats, of the raw formats of Panasonic, Olympus, Fujifilm, Minolta and
 * Sigma, and of Photoshop files.
 */
const pictureSignatures = [
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
  for (let offset = 16; offset + 4 <= size; offset += 4) brands.push(tag(bytes, offset))
  return brands
}

/** Whether it is a picture of another format, which may hold place and time and is not supported here. */
const isOtherPicture = (bytes: Bytes): boolean =>
  (tag(bytes, 4) === 'ftyp' && brandsOf(bytes).some((brand) => pictureBrands.includes(brand))) ||
  pictureSignatures.includes(tag(bytes, 0)) ||
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
