import { strToU8, Zip, ZipDeflate } from 'fflate'

/** A ZIP that grows file by file; what is compressed already is all it holds. */
export interface Archive {
  add(path: string, text: string): void
  finish(): Blob
}

/** `at`: the time (ms) that every file in it carries. */
export function createArchive(at: number): Archive {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const zip = new Zip((error, part) => {
    if (error !== null) throw error
    parts.push(new Uint8Array(part))
  })
  return {
    add(path, text) {
      const file = new ZipDeflate(path, { level: 6 })
      file.mtime = at
      zip.add(file)
      file.push(strToU8(text), true)
    },
    finish() {
      zip.end()
      return new Blob(parts, { type: 'application/zip' })
    },
  }
}
