import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

interface Entry {
  optionalDependencies?: Record<string, string>
}

/**
 * The `npm ci` of npm 11 refuses a lock file that lacks a package for another operating system; npm 10 accepts it. Such
 * packages are missing if a release was locked before all of its packages were published.
 */
test('package-lock.json has the packages of every operating system', async () => {
  const text = await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8')
  const { packages } = JSON.parse(text) as { packages: Record<string, Entry> }
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
    ),
  )
  expect(missing).toEqual([])
})
