import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('slowDisk.c', import.meta.url))

function run(command: readonly string[], why: string): string {
  const [program, ...args] = command as [string, ...string[]]
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${why}: ${error?.message ?? stderr}`)
  return stdout
}

/** What a sync of the disk takes a program that is started now: the quickest of 20, in ms. */
function quickestSync(folder: string): number {
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
  return Number(run([process.execPath, '-e', measure, join(folder, 'synced')], 'no sync could be measured'))
}

/**
 * Lets every sync of the disk (fsync, fdatasync) by the programs that are started from now on take `ms` longer than it
 * does. What a sync itself takes is answered, in ms. Needs a C compiler: `cc`.
 */
export function slowDisk(folder: string, ms: number): number {
  const library = join(folder, 'slowDisk.so')
  const compile = ['cc', '-O2', '-shared', '-fPIC', '-o', library, source, '-ldl']
  run(compile, 'a slower disk needs a C compiler (on Debian: apt-get install --no-install-recommends gcc libc6-dev)')
  chmodSync(library, 0o755)
  const own = quickestSync(folder)
  process.env.LD_PRELOAD = library
  process.env.SLOW_DISK_US = String(Math.round(ms * 1000))
  const slow = quickestSync(folder)
  if (slow < ms) throw new Error(`a sync takes ${slow} ms, and not the ${ms} ms that were asked for`)
  return own
}
