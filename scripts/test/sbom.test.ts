import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const project = fileURLToPath(new URL('../..', import.meta.url))

interface Locked {
  version: string
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
  link?: boolean
}
interface Component {
  name: string
  version: string
  properties?: { name: string; value: string }[]
}

test('the bill of materials names every package of package-lock.json and marks development ones', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'sbom'], { cwd: project, maxBuffer: 1e8 })
  const bom = JSON.parse(stdout) as { bomFormat: string; components: Component[] }
  const named = new Map(bom.components.map((each) => [`${each.name.split('/').at(-1)}@${each.version}`, each]))
  const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
  const idOf = ([path, { version }]: [string, Locked]) => `${path.split('/').at(-1)}@${version}`
  const served = installed.filter(([, { dev, optional, devOptional }]) => !dev && !optional && !devOptional).map(idOf)
  expect(bom.bomFormat).toBe('CycloneDX')
  expect(served.length).toBeGreaterThan(100)
  expect(served.filter((id) => !named.has(id))).toEqual([])
  const forDevelopment = installed.filter(([path, { dev }]) => dev && path === 'node_modules/vitest').map(idOf)
  expect(named.get(forDevelopment[0] ?? '')?.properties).toContainEqual({
    name: 'cdx:npm:package:development',
    value: 'true',
  })
})
