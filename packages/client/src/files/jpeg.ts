import type { Bytes } from '@privity/e2ee'

const [SOI, EOI, SOS, APP0, APP1, APP2, APP14, APP15, COM] = [0xd8, 0xd9, 0xda, 0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe]
const orientationTag = 0x0112

const text = (bytes: Bytes, offset: number, length: number) =>
  String.fromCharCode(...bytes.subarray(offset, offset + length))

const jfifLength = 14

/** Returns a segment unchanged, apart from the thumbnail in JFIF's, which is cut off. */
function keptSegment(bytes: Bytes, marker: number, offset: number, end: number): Bytes {
  if (marker !== APP0 || end <= offset + 4 + jfifLength) return bytes.subarray(offset, end)
  const segment = bytes.slice(offset, offset + 4 + jfifLength)
  segment.set([0, 2 + jfifLength], 2)
  // The thumbnail's width and height.
  segment.set([0, 0], 4 + jfifLength - 2)
  return segment
}

/**
 * JFIF, the colour profile and Adobe's colour transform affect how pixels look; other application segments hold
 * metadata.
 */
function isKept(bytes: Bytes, marker: number, data: number): boolean {
  if (marker === COM) return false
  if (marker < APP0 || marker > APP15) return true
  if (marker === APP0) return text(bytes, data, 5) === 'JFIF\0'
  if (marker === APP2) return text(bytes, data, 12) === 'ICC_PROFILE\0'
  return marker === APP14 && text(bytes, data, 5) === 'Adobe'
}

/** Reads the orientation (1 to 8) from an Exif segment (TIFF 6.0, tag 0x0112). */
function orientationOf(data: Bytes): number | undefined {
  if (text(data, 0, 6) !== 'Exif\0\0' || data.length < 14) return undefined
  const tiff = new DataView(data.buffer, data.byteOffset + 6, data.length - 6)
  const little = tiff.getUint16(0) === 0x4949
  const directory = tiff.getUint32(4, little)
  if (directory + 2 > tiff.byteLength) return undefined
  const count = tiff.getUint16(directory, little)
  for (let i = 0; i < count; i++) {
    const entry = directory + 2 + i * 12
    if (entry + 12 > tiff.byteLength) return undefined
    if (tiff.getUint16(entry, little) === orientationTag) return tiff.getUint16(entry + 8, little)
  }
  return undefined
}

/** Creates an Exif segment with nothing but the orientation. */
function orientationSegment(orientation: number): Bytes {
  const exif = [0x45, 0x78, 0x69, 0x66, 0, 0]
  const tiff = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8]
  const entry = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
  const data = [...exif, ...tiff, ...entry, 0, 0, 0, 0]
  return Uint8Array.from([0xff, APP1, 0, data.length + 2, ...data])
}

/** Returns the end of the entropy-coded data that begins at `offset`: the next marker that is not a restart. */
function endOfScan(bytes: Bytes, offset: number): number {
  for (let i = bytes.indexOf(0xff, offset); i >= 0 && i + 1 < bytes.length; i = bytes.indexOf(0xff, i + 1)) {
    const marker = bytes[i + 1] as number
    if (marker !== 0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7)) return i
  }
  return bytes.length
}

/** Returns the segments to keep (ITU T.81 Annex B), without data after the end of the image; [] if malformed. */
export function stripJpeg(bytes: Bytes): Bytes[] {
  const kept: Bytes[] = [Uint8Array.of(0xff, SOI)]
  let orientation: number | undefined
  let offset = 2
  while (offset + 1 < bytes.length) {
    if (bytes[offset] !== 0xff) return []
    const marker = bytes[offset + 1] as number
    if (marker === 0xff) offset += 1
    else if (marker === EOI) {
      if (orientation !== undefined && orientation > 1 && orientation <= 8)
        kept.splice(1, 0, orientationSegment(orientation))
      return [...kept, Uint8Array.of(0xff, EOI)]
    } else {
      const end = offset + 2 + (((bytes[offset + 2] as number) << 8) | (bytes[offset + 3] as number))
      if (!(end > offset + 3 && end <= bytes.length)) return []
      if (marker === APP1) orientation ??= orientationOf(bytes.subarray(offset + 4, end))
      const next = marker === SOS ? endOfScan(bytes, end) : end
      if (isKept(bytes, marker, offset + 4)) kept.push(keptSegment(bytes, marker, offset, next))
      offset = next
    }
  }
  return []
}
