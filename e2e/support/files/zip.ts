import { inflateRawSync } from 'node:zlib'

const endOfDirectory = 0x06054b50
const entry = 0x02014b50

/** The files of a ZIP by name, read through its central directory, as any program does. */
export function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || bytes.readUInt32LE(end) !== endOfDirectory) throw new Error('This is no ZIP file.')
  const files = new Map<string, string>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (bytes.readUInt32LE(at) !== entry) throw new Error('The directory of the ZIP file is damaged.')
    const [size, nameSize, extraSize, commentSize] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ]
    const name = bytes.subarray(at + 46, at + 46 + nameSize).toString('utf8')
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(start, start + size)
    const plain = bytes.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed)
    files.set(name, plain.toString('utf8'))
    at += 46 + nameSize + extraSize + commentSize
  }
  return files
}
