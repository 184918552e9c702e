import { strToU8, Zip, ZipDeflate } from 'fflate'

/** A ZIP written file by file; only compressed data is held in memory. */
export interface Archive {
  add(path: string, text: string): void
  finish(): Blob
}

/** `modifiedAt`: the time (ms) of every file in the archive. */
export function createArchive(modifiedAt: number): Archive {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const zip = new Zip((error, part) => {
    if (error !== null) throw error
    parts.push(new Uint8Array(part))
  })
  return {
    add(path, text) {
      const file = new ZipDeflate(path, { level: 6 })
      file.mtime = modifiedAt
      zip.add(file)
      file.push(strToU8(text), true)
    },
    finish() {
      zip.end()
      return new Blob(parts, { type: 'application/zip' })
    },
  }
}
