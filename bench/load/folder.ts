import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forgetAtEnd } from './processes.ts'

export const say = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)

/**
 * Creates a folder for the files of a bench, removed at its end; the returned function makes a subfolder for each
 * server.
 */
export function benchFolder(): (name: string) => string {
  const root = mkdtempSync(join(tmpdir(), 'privity-bench-'))
  forgetAtEnd(root)
  // The servers run as users of their own, who must be able to traverse this folder.
  chmodSync(root, 0o711)
  return (name) => {
    const folder = join(root, name)
    mkdirSync(folder, { mode: 0o711 })
    return folder
  }
}
