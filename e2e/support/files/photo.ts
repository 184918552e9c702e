import { expect, type Locator, type Page } from '@playwright/test'

/** Camera of the test photograph. Neither it nor the place may reach the recipient. */
export const camera = 'Privity Test Camera'
const latitude = [52, 31, 12] as const
const longitude = [13, 24, 18] as const

interface Entry {
  tag: number
  /** TIFF field type: 2 is text, 3 a 16-bit number, 4 a 32-bit number, 5 fractions. */
  type: 2 | 3 | 4 | 5
  count: number
  /** The value; if it is longer than four bytes, it is stored after the directory. */
  value: Buffer
}

const text = (tag: number, value: string): Entry => {
  const bytes = Buffer.from(`${value}\0`, 'latin1')
  return { tag, type: 2, count: bytes.length, value: bytes }
}

const number = (tag: number, value: number): Entry => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return { tag, type: 4, count: 1, value: bytes }
}

const shortNumber = (tag: number, value: number): Entry => ({ tag, type: 3, count: 1, value: number(tag, value).value })

const degrees = (tag: number, parts: readonly number[]): Entry => {
  const bytes = Buffer.alloc(parts.length * 8)
  for (const [at, part] of parts.entries()) {
    bytes.writeUInt32LE(part, at * 8)
    bytes.writeUInt32LE(1, at * 8 + 4)
  }
  return { tag, type: 5, count: parts.length, value: bytes }
}

/** A TIFF directory that starts `at` bytes into the TIFF data, followed by its long values. */
function directory(entries: Entry[], at: number): Buffer {
  const head = Buffer.alloc(2 + entries.length * 12 + 4)
  head.writeUInt16LE(entries.length)
  let behind = Buffer.alloc(0)
  for (const [index, { tag, type, count, value }] of entries.entries()) {
    const place = 2 + index * 12
    head.writeUInt16LE(tag, place)
    head.writeUInt16LE(type, place + 2)
    head.writeUInt32LE(count, place + 4)
    if (value.length <= 4) value.copy(head, place + 8)
    else {
      head.writeUInt32LE(at + head.length + behind.length, place + 8)
      behind = Buffer.concat([behind, value])
    }
  }
  return Buffer.concat([head, behind])
}

/** An APP1 segment with EXIF: the camera, the orientation, and a GPS position. */
function exifSegment(orientation: number): Buffer {
  const first = 8
  const gps = [text(1, 'N'), degrees(2, latitude), text(3, 'E'), degrees(4, longitude)]
  const main = (gpsAt: number) =>
    directory([text(0x010f, camera), shortNumber(0x0112, orientation), number(0x8825, gpsAt)], first)
  const gpsAt = first + main(0).length
  const tiff = Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), main(gpsAt), directory(gps, gpsAt)])
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const marker = Buffer.from([0xff, 0xe1, 0, 0])
  marker.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([marker, body])
}

/**
 * A JPEG photograph encoded by the browser, with EXIF after the first marker, as cameras write it. Its stored pixels
 * are 640 wide and 480 high; red grows from top to bottom and green from left to right.
 */
export async function takePhoto(page: Page, orientation = 1): Promise<Buffer> {
  const address = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 640
    canvas.height = 480
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser has no canvas.')
    for (let row = 0; row < 48; row++)
      for (let column = 0; column < 64; column++) {
        context.fillStyle = `rgb(${(row * 5) % 256} ${(column * 4) % 256} ${(row * column) % 256})`
        context.fillRect(column * 10, row * 10, 10, 10)
      }
    return canvas.toDataURL('image/jpeg', 0.9)
  })
  const encoded = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
  return Buffer.concat([encoded.subarray(0, 2), exifSegment(orientation), encoded.subarray(2)])
}

/** Expects a shown photograph of orientation 6 to have its stored left side above, and its stored lower side left. */
export async function expectTurnedRight(image: Locator): Promise<void> {
  const [topLeft, topRight, bottomRight] = await image.evaluate(async (shown: HTMLImageElement) => {
    const canvas = document.createElement('canvas')
    canvas.width = shown.naturalWidth
    canvas.height = shown.naturalHeight
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser has no canvas.')
    await shown.decode()
    context.drawImage(shown, 0, 0)
    const colour = (x: number, y: number) =>
      Array.from(context.getImageData(Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data)
    return [colour(0.05, 0.05), colour(0.95, 0.05), colour(0.95, 0.95)] as const
  })
  const isNear = (value: number | undefined, expected: number) =>
    expect(Math.abs((value ?? -1) - expected)).toBeLessThan(60)
  const colours = [
    [topLeft, 225, 12],
    [topRight, 12, 12],
    [bottomRight, 12, 240],
  ] as const
  for (const [[red, green], expectedRed, expectedGreen] of colours) {
    isNear(red, expectedRed)
    isNear(green, expectedGreen)
  }
}
