import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Reads what a browser leaves on the disk, as a thief of the profile's folder would. */

interface Cursor {
  bytes: Buffer
  at: number
}

function readVarint(cursor: Cursor): number {
  let value = 0
  for (let shift = 1; ; shift *= 128) {
    const byte = cursor.bytes[cursor.at++] ?? 0
    value += (byte & 127) * shift
    if (byte < 128) return value
  }
}

/** Decompresses a block of snappy's raw format. */
export function decompressSnappy(bytes: Buffer): Buffer {
  const cursor: Cursor = { bytes, at: 0 }
  const out = Buffer.alloc(readVarint(cursor))
  let length = 0
  while (cursor.at < bytes.length) {
    const tag = bytes[cursor.at++] as number
    const kind = tag & 3
    if (kind === 0) {
      const extra = Math.max(0, (tag >> 2) - 59)
      const size = (extra === 0 ? tag >> 2 : bytes.readUIntLE(cursor.at, extra)) + 1
      cursor.at += extra
      length += bytes.copy(out, length, cursor.at, cursor.at + size)
      cursor.at += size
      continue
    }
    const size = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
    const width = kind === 1 ? 1 : kind === 2 ? 2 : 4
    const offset = bytes.readUIntLE(cursor.at, width) + (kind === 1 ? (tag >> 5) * 256 : 0)
    cursor.at += width
    // Byte by byte: a copy may overlap what it writes.
    for (let i = 0; i < size; i++, length++) out[length] = out[length - offset] as number
  }
  return out
}

const footerBytes = 48

function readBlock(table: Buffer, cursor: Cursor): Buffer {
  const offset = readVarint(cursor)
  const end = offset + readVarint(cursor)
  const stored = table.subarray(offset, end)
  return table[end] === 1 ? decompressSnappy(stored) : stored
}

/** The blocks of a LevelDB table, decompressed, one after the other. */
function readTable(table: Buffer): Buffer {
  const footer: Cursor = { bytes: table, at: table.length - footerBytes }
  // The handle of the metaindex comes first.
  readVarint(footer)
  readVarint(footer)
  const index = readBlock(table, footer)
  const end = index.length - 4 - 4 * index.readUInt32LE(index.length - 4)
  const entries: Cursor = { bytes: index, at: 0 }
  const blocks: Buffer[] = []
  while (entries.at < end) {
    readVarint(entries)
    const keyBytes = readVarint(entries)
    const valueBytes = readVarint(entries)
    const value = entries.at + keyBytes
    blocks.push(readBlock(table, { bytes: index, at: value }))
    entries.at = value + valueBytes
  }
  return Buffer.concat(blocks)
}

const logBlockBytes = 32 * 1024
const logHeaderBytes = 7

/** The records of a LevelDB log without their headers, which may stand in the middle of a value. */
function readLog(log: Buffer): Buffer {
  const records: Buffer[] = []
  for (let block = 0; block < log.length; block += logBlockBytes) {
    const end = Math.min(block + logBlockBytes, log.length)
    for (let at = block; at + logHeaderBytes <= end;) {
      const next = at + logHeaderBytes + log.readUInt16LE(at + 4)
      records.push(log.subarray(at + logHeaderBytes, next))
      at = next
    }
  }
  return Buffer.concat(records)
}

/** Every file of the folder as it is, and those of its databases as LevelDB would read them. */
async function readForms(folder: string): Promise<{ path: string; bytes: Buffer }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const forms: { path: string; bytes: Buffer }[] = []
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const path = join(parentPath, name)
    const bytes = await readFile(path)
    forms.push({ path, bytes })
    if (name.endsWith('.ldb')) forms.push({ path: `${path}, decompressed`, bytes: readTable(bytes) })
    if (name.endsWith('.log')) forms.push({ path: `${path}, joined`, bytes: readLog(bytes) })
  }
  return forms
}

/** The places in a browser's profile that hold these bytes, plain or as text. */
export async function findInProfile(folder: string, secret: Uint8Array): Promise<string[]> {
  const bytes = Buffer.from(secret)
  const texts = [bytes.toString('base64url'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')]
  const written = [
    bytes,
    ...texts.map((text) => Buffer.from(text)),
    ...texts.map((text) => Buffer.from(text, 'utf16le')),
  ]
  return (await readForms(folder))
    .filter((form) => written.some((each) => form.bytes.includes(each)))
    .map(({ path }) => path.slice(folder.length + 1))
}
