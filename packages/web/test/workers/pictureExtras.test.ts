import { expect, test } from 'vitest'
import { smallPictureType } from '../../../client/src/files/pictureForm.ts'
import { withoutExtras } from '../../src/workers/pictureExtras.ts'

const ascii = (text: string) => [...Buffer.from(text, 'latin1')]
const be = (value: number) => [value >> 8, value & 0xff]
const segment = (marker: number, data: number[]) => [0xff, marker, ...be(2 + data.length), ...data]
const le4 = (value: number) => [value & 0xff, value >> 8, 0, 0]
const chunk = (tag: string, data: number[]) => [...ascii(tag), ...le4(data.length), ...data]
const riff = (...chunks: number[][]) => chunk('RIFF', [...ascii('WEBP'), ...chunks.flat()])
const bytes = (values: number[]) => Uint8Array.from(values)

const jfif = segment(0xe0, ascii('JFIF\0'))
const picture = [...segment(0xdb, [0, 1]), ...segment(0xc0, [8, 0, 64, 0, 96, 1, 1, 0x11, 0]), ...segment(0xc4, [0, 1])]
const scan = [...segment(0xda, [1, 1, 0, 0, 63, 0]), 0x12, 0xff, 0x00, 0x34, 0xff, 0xd9]
const vp8 = chunk('VP8 ', [0x30, 1, 0, 0x9d, 0x01, 0x2a, 96, 0, 64, 0, 1, 2])

test('a JPEG with the Exif and Photoshop segments that Safari writes becomes a thumbnail', () => {
  const extras = [segment(0xe1, ascii('Exif\0\0MM')), segment(0xed, ascii('Photoshop 3.0\0')), segment(0xfe, [1])]
  const safari = bytes([0xff, 0xd8, ...jfif, ...extras.flat(), ...picture, ...scan])
  expect(smallPictureType(safari)).toBeUndefined()
  expect(withoutExtras(safari)).toEqual(bytes([0xff, 0xd8, ...jfif, ...picture, ...scan]))
  expect(smallPictureType(withoutExtras(safari))).toBe('image/jpeg')
})

test('a WebP with a colour profile becomes a thumbnail', () => {
  const extended = bytes(riff(chunk('VP8X', [0x20, 0, 0, 0, 95, 0, 0, 63, 0, 0]), chunk('ICCP', [1, 2]), vp8))
  expect(smallPictureType(extended)).toBeUndefined()
  expect(withoutExtras(extended)).toEqual(bytes(riff(vp8)))
  expect(smallPictureType(withoutExtras(extended))).toBe('image/webp')
})

test('what is no picture, or is cut, ends without an error', () => {
  const whole = [0xff, 0xd8, ...jfif, ...segment(0xe1, ascii('Exif')), ...picture]
  for (let end = 0; end < whole.length; end++)
    expect(withoutExtras(bytes(whole.slice(0, end)))).toEqual(bytes(whole.slice(0, end)))
})
