import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runOrThrow } from './processes.ts'

const source = fileURLToPath(new URL('slowDisk.c', import.meta.url))

/** Milliseconds of a sync of the disk, in this process and with its environment: the fastest of 20. */
function measureFastestSync(folder: string): number {
  const measure = `
    const [fs, file] = [require('node:fs'), process.argv[1]]
    const fd = fs.openSync(file, 'w')
    const times = Array.from({ length: 20 }, () => {
      fs.writeSync(fd, 'x')
      const begun = performance.now()
      fs.fdatasyncSync(fd)
      return performance.now() - begun
    })
    fs.rmSync(file)
    console.log(Math.min(...times))`
  return Number(runOrThrow([process.execPath, '-e', measure, join(folder, 'synced')]))
}

/**
 * Simulates a slower disk; needs a C compiler (on Debian: gcc and libc6-dev). After `begin`, every sync of the disk
 * (fsync, fdatasync) by programs started later takes `ms` longer. `begin` returns the duration of an unmodified sync,
 * in ms.
 */
export function makeSlowDisk(folder: string, ms: number): { begin(): number } {
  const library = join(folder, 'slowDisk.so')
  runOrThrow(['cc', '-O2', '-shared', '-fPIC', '-o', library, source, '-ldl'])
  chmodSync(library, 0o755)
  return {
    begin() {
      const own = measureFastestSync(folder)
      Object.assign(process.env, { LD_PRELOAD: library, SLOW_DISK_US: String(Math.round(ms * 1000)) })
      const slow = measureFastestSync(folder)
      if (slow < ms) throw new Error(`a sync takes ${slow} ms, and not the ${ms} ms that were asked for`)
      return own
    },
  }
}
