import { describe, expect, test } from 'vitest'
import { smallPictureType } from '../../src/files/pictureForm.ts'

const be = (value: number) => [value >> 8, value & 0xff]
const le = (value: number) => [value & 0xff, value >> 8]
const ascii = (text: string) => [...Buffer.from(text, 'latin1')]
const typeOf = (bytes: readonly number[]) => smallPictureType(Uint8Array.from(bytes))

function webp({ width = 96, height = 64, tag = 'VP8 ', start = [0x9d, 0x01, 0x2a], more = [] as number[] } = {}) {
  const frame = [0x30, 1, 0, ...start, ...le(width), ...le(height), 1, 2]
  const chunk = [...ascii(tag), ...le(frame.length), 0, 0, ...frame, ...more]
  return [...ascii('RIFF'), ...le(4 + chunk.length), 0, 0, ...ascii('WEBP'), ...chunk]
}

const segment = (marker: number, data: number[]) => [0xff, marker, ...be(2 + data.length), ...data]
const frame = (width: number, height: number, marker = 0xc0) =>
  segment(marker, [8, ...be(height), ...be(width), 1, 1, 0x11, 0])
const scan = [...segment(0xda, [1, 1, 0, 0, 63, 0]), 0x12, 0x34]
const jpeg = (...segments: number[][]) => [0xff, 0xd8, ...segments.flat(), ...scan, 0xff, 0xd9]
const tables = [segment(0xe0, ascii('JFIF\0')), segment(0xdb, [0, 1]), segment(0xc4, [0, 1])]

describe('a thumbnail is taken for a picture', () => {
  test('as WebP of one lossy picture', () => {
    expect(typeOf(webp())).toBe('image/webp')
    expect(typeOf(webp({ width: 128, height: 1 }))).toBe('image/webp')
  })

  test('as JPEG, baseline or progressive', () => {
    expect(typeOf(jpeg(...tables, frame(96, 64)))).toBe('image/jpeg')
    expect(typeOf(jpeg(...tables, frame(1, 128, 0xc2)))).toBe('image/jpeg')
  })
})

describe('a thumbnail is refused', () => {
  test.each([
    ['nothing', []],
    ['a WebP that declares too many pixels', webp({ width: 129 })],
    ['a WebP that declares the most pixels', webp({ width: 16383, height: 16383 })],
    ['a WebP without pixels', webp({ height: 0 })],
    ['an animated or extended WebP', webp({ tag: 'VP8X' })],
    ['a lossless WebP', webp({ tag: 'VP8L' })],
    ['a WebP without a key frame', webp({ start: [0, 0, 0] })],
    ['a WebP with another chunk behind its picture', webp({ more: [...ascii('EXIF'), 2, 0, 0, 0, 1, 2] })],
    ['a cut WebP', webp().slice(0, -1)],
    ['a JPEG that declares too many pixels', jpeg(...tables, frame(96, 129))],
    ['a JPEG that declares the most pixels', jpeg(...tables, frame(65535, 65535))],
    ['a JPEG of two frames', jpeg(...tables, frame(96, 64), frame(9600, 6400))],
    ['a JPEG without a frame', jpeg(...tables)],
    ['a JPEG with metadata', jpeg(segment(0xe1, ascii('Exif\0\0')), frame(96, 64))],
    ['a JPEG with a comment', jpeg(segment(0xfe, ascii('hello')), frame(96, 64))],
    ['a lossless JPEG', jpeg(...tables, frame(96, 64, 0xc3))],
    ['a JPEG whose segments lead nowhere', [0xff, 0xd8, ...segment(0xdb, []), 0xff, 0xdb, 0, 0, 0xff, 0xd9]],
    ['a cut JPEG', jpeg(...tables, frame(96, 64)).slice(0, -2)],
    ['a GIF', ascii('GIF89a').concat(Array<number>(40).fill(0))],
    ['a PNG', [0x89, ...ascii('PNG\r\n\x1a\n'), ...Array<number>(40).fill(0)]],
    ['an SVG', ascii('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ])('for %s', (_what, bytes) => {
    expect(typeOf(bytes)).toBeUndefined()
  })

  test('wherever a picture is cut, without an error', () => {
    for (const whole of [webp(), jpeg(...tables, frame(96, 64))])
      for (let end = 0; end < whole.length; end++) expect(typeOf(whole.slice(0, end))).toBeUndefined()
  })
})
