import { expect, test } from 'vitest'
import { removeMetadata } from '../../src/files/metadata.ts'

const ascii = (text: string) => [...Buffer.from(text, 'latin1')]
const big = (value: number, size: number) =>
  Array.from({ length: size }, (_, at) => (value >> (8 * (size - 1 - at))) & 255)
const little = (value: number, size: number) => big(value, size).reverse()

const clean = async (bytes: number[], type: string) => {
  const blob = await removeMetadata(new Blob([Uint8Array.from(bytes)], { type }))
  return { bytes: [...new Uint8Array(await blob.arrayBuffer())], type: blob.type }
}
const holds = (bytes: number[], text: string) => Buffer.from(bytes).includes(Buffer.from(text, 'latin1'))

const segment = (marker: number, data: number[]) => [0xff, marker, ...big(data.length + 2, 2), ...data]

/** An Exif segment: orientation, and the place where the photograph was taken. */
function exif(orientation: number, order: 'II' | 'MM'): number[] {
  const number = order === 'MM' ? big : little
  const entry = (tag: number, type: number, value: number[]) => [
    ...number(tag, 2),
    ...number(type, 2),
    ...number(1, 4),
    ...value,
  ]
  const directory = [
    ...number(2, 2),
    ...entry(0x010f, 2, ascii('GPS!')),
    ...entry(0x0112, 3, [...number(orientation, 2), 0, 0]),
    ...number(0, 4),
  ]
  return segment(0xe1, [
    ...ascii('Exif\0\0'),
    ...ascii(order),
    ...number(42, 2),
    ...number(8, 4),
    ...directory,
    ...ascii('home address'),
  ])
}

const jfif = segment(0xe0, [...ascii('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0])
const colours = segment(0xe2, [...ascii('ICC_PROFILE\0'), 1, 1, 9, 9, 9])
const tables = segment(0xdb, [0, ...Array.from({ length: 64 }, (_, at) => at)])
/** Entropy-coded data with a stuffed FF and a restart marker in it. */
const scan = [...segment(0xda, [1, 1, 0, 0, 63, 0]), 0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]
const end = [0xff, 0xd9]

function jpeg(orientation: number, order: 'II' | 'MM' = 'MM'): number[] {
  return [
    0xff,
    0xd8,
    ...jfif,
    ...exif(orientation, order),
    ...segment(0xe1, ascii('http://ns.adobe.com/xap/1.0/\0<x>author</x>')),
    ...colours,
    ...segment(0xed, ascii('Photoshop 3.0\0caption')),
    ...segment(0xfe, ascii('a comment')),
    ...tables,
    ...scan,
    ...end,
    ...ascii('a second image behind the end'),
  ]
}

test('a JPEG loses everything that says whose it is, and keeps pixels, colours and orientation', async () => {
  for (const order of ['II', 'MM'] as const) {
    const { bytes, type } = await clean(jpeg(6, order), 'image/jpeg')
    expect(type).toBe('image/jpeg')
    for (const secret of ['GPS!', 'home address', 'author', 'caption', 'comment', 'second image'])
      expect(holds(bytes, secret)).toBe(false)
    const orientation = segment(0xe1, [
      ...ascii('Exif\0\0MM'),
      0,
      42,
      0,
      0,
      0,
      8,
      0,
      1,
      1,
      0x12,
      0,
      3,
      0,
      0,
      0,
      1,
      0,
      6,
      0,
      0,
      0,
      0,
      0,
      0,
    ])
    expect(bytes).toEqual([0xff, 0xd8, ...orientation, ...jfif, ...colours, ...tables, ...scan, ...end])
  }
})

test('an upright JPEG keeps no Exif at all', async () => {
  const { bytes } = await clean(jpeg(1), 'image/jpeg')
  expect(bytes).toEqual([0xff, 0xd8, ...jfif, ...colours, ...tables, ...scan, ...end])
})

test('a broken JPEG is not taken for one that says nothing', async () => {
  const whole = jpeg(6)
  for (const bytes of [whole.slice(0, 60), [...whole.slice(0, 20), 0, ...whole.slice(21)]])
    await expect(clean(bytes, 'image/jpeg')).rejects.toMatchObject({ code: 'METADATA_STAYS' })
})

test.each<[string, number[]]>([
  ['HEIC', [...big(24, 4), ...ascii('ftypheic'), ...ascii('place')]],
  ['AVIF', [...big(24, 4), ...ascii('ftypavif'), ...ascii('place')]],
  ['TIFF, and raw files that are one', [...ascii('II*\0'), ...little(8, 4), ...ascii('place')]],
  ['TIFF of the other order', [...ascii('MM\0*'), ...big(8, 4), ...ascii('place')]],
  [
    'HEIC that says so second',
    [...big(28, 4), ...ascii('ftypMiHE'), 0, 0, 0, 0, ...ascii('mif1heic'), ...ascii('place')],
  ],
  ['CRW (Canon)', [...ascii('II'), 0x1a, 0, 0, 0, ...ascii('HEAPCCDR'), ...ascii('place')]],
  ['CR3 (Canon)', [...big(24, 4), ...ascii('ftypcrx '), ...ascii('place')]],
  ['RW2 (Panasonic)', [...ascii('IIU\0'), ...little(8, 4), ...ascii('place')]],
  ['ORF (Olympus)', [...ascii('IIRO'), ...little(8, 4), ...ascii('place')]],
  ['RAF (Fujifilm)', ascii('FUJIFILMCCD-RAW 0201')],
  ['Photoshop', [...ascii('8BPS'), 0, 1, ...ascii('place and so on')]],
  ['JPEG 2000', [...big(12, 4), ...ascii('jP  \r\n\x87\n'), ...ascii('place')]],
  ['a GIF that ends in the middle', [...ascii('GIF89a'), 1, 0, 1, 0, 0, 0, 0, 0x21, 0xfe, 9, ...ascii('place')]],
  ['JPEG XL', [...big(12, 4), ...ascii('JXL \r\n\x87\n'), ...ascii('place')]],
])('a picture that is not taken apart here does not go out unasked: %s', async (_kind, bytes) => {
  await expect(clean(bytes, '')).rejects.toMatchObject({ code: 'METADATA_STAYS' })
})

test('the small picture in JFIF goes too, and what is only called like a segment of Adobe', async () => {
  const small = segment(0xe0, [...ascii('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 1, 2, ...ascii('SIXBYT')])
  const adobe = segment(0xee, [...ascii('Adobe'), 0, 100, 0, 0, 0, 0, 1])
  const given = [0xff, 0xd8, ...small, ...adobe, ...segment(0xee, ascii('camera')), ...tables, ...scan, ...end]
  expect((await clean(given, 'image/jpeg')).bytes).toEqual([0xff, 0xd8, ...jfif, ...adobe, ...tables, ...scan, ...end])
})

test('a GIF loses comments, XMP and trailing bytes, and keeps pixels, pauses and repetition', async () => {
  const blocks = (...data: number[][]) => [...data.flatMap((each) => [each.length, ...each]), 0]
  const application = (name: string, ...data: number[][]) => [0x21, 0xff, ...blocks(ascii(name), ...data)]
  const head = [...ascii('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, 1, 2, 3, 4, 5, 6]
  const repeats = application('NETSCAPE2.0', [1, 0, 0])
  const pause = [0x21, 0xf9, ...blocks([0, 10, 0, 0])]
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 9, 8, 7, 6, 5, 4, 2, ...blocks([0x44, 0x01])]
  const metadata = [...application('XMP DataXMP', ascii('<x>author</x>')), 0x21, 0xfe, ...blocks(ascii('a comment'))]
  const given = [...head, ...metadata, ...repeats, ...pause, ...frame, ...metadata, 0x3b, ...ascii('more')]
  expect((await clean(given, 'image/gif')).bytes).toEqual([...head, ...repeats, ...pause, ...frame, 0x3b])
})

const pngChunk = (type: string, data: number[]) => [...big(data.length, 4), ...ascii(type), ...data, 1, 2, 3, 4]
const pngHead = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

test('a PNG loses texts, times and Exif, and keeps the rest', async () => {
  const header = pngChunk('IHDR', [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
  const pixels = pngChunk('IDAT', [7, 7, 7])
  const last = pngChunk('IEND', [])
  // The last two: Content Credentials, and what some camera may write one day.
  const types = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME', 'caBX', 'vpAg']
  const metadata = types.flatMap((type) => pngChunk(type, ascii('Author Anna')))
  const { bytes } = await clean([...pngHead, ...header, ...metadata, ...pixels, ...last, ...ascii('Anna')], 'image/png')
  expect(bytes).toEqual([...pngHead, ...header, ...pixels, ...last])
})

const riffChunk = (type: string, data: number[]) => [
  ...ascii(type),
  ...little(data.length, 4),
  ...data,
  ...(data.length % 2 ? [0] : []),
]
const webp = (...chunks: number[][]) => {
  const body = [...ascii('WEBP'), ...chunks.flat()]
  return [...ascii('RIFF'), ...little(body.length, 4), ...body]
}

test('a WebP loses Exif and XMP, and its header says so', async () => {
  const header = (flags: number) => riffChunk('VP8X', [flags, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  const pixels = riffChunk('VP8 ', [5, 5, 5])
  const given = webp(
    header(0x08 | 0x04 | 0x20),
    pixels,
    riffChunk('EXIF', ascii('place')),
    riffChunk('XMP ', ascii('author')),
    riffChunk('C2PA', ascii('camera')),
  )
  expect((await clean(given, 'image/webp')).bytes).toEqual(webp(header(0x20), pixels))
})

test('other files, small ones and empty ones stay as they are', async () => {
  for (const bytes of [
    [],
    [0xff],
    ascii('%PDF-1.7 with /Author (Anna) in it'),
    [...big(24, 4), ...ascii('ftypisom and so on')],
  ])
    expect((await clean(bytes, 'application/pdf')).bytes).toEqual(bytes)
})
