import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

interface Entry {
  optionalDependencies?: Record<string, string>
}

/**
 * npm 11's `npm ci` refuses a lock file in which a package for another system is missing; npm 10 does
 * not say so. They go missing when a release is locked before all of its packages are published.
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
