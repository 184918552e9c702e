import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { layersOf } from '../../cascade.ts'

const folder = fileURLToPath(new URL('../../src/', import.meta.url))
const orderSheet = 'styles/layers.css'
const sheets = globSync('**/*.css', { cwd: folder }).filter((name) => name !== orderSheet)
const text = (name: string) => readFileSync(`${folder}${name}`, 'utf8')
const layers = layersOf(text(orderSheet))

describe('the order of the style sheets', () => {
  it('names each sheet once, and nothing else', () => {
    const names = sheets.map((name) => basename(name, '.css'))
    expect(layers.toSorted()).toEqual(names.toSorted())
  })

  it('comes before every sheet', () => {
    for (const main of ['main.tsx', 'founder/main.tsx']) {
      const [base, component] = [text(main).search(/styles\/baseStyles\.ts'/), text(main).search(/\.tsx'/)]
      expect([base > 0, base < component], `${main}: before any component brings its own`).toEqual([true, true])
    }
    const imported = [...text('styles/baseStyles.ts').matchAll(/'\.\/(.+)\.css'/g)].map(([, name]) => name)
    expect(imported[0]).toBe('layers')
    expect(imported.slice(1), 'the foundation, as the layers have it').toEqual(
      layers.filter((name) => imported.includes(name)),
    )
  })

  // !important reverses the order of layers, so only styles that must override everything may use it.
  it('is not turned round: only the print notice has declarations that are important', () => {
    expect(sheets.filter((name) => text(name).includes('!important'))).toEqual(['features/deterrents/printNotice.css'])
  })

  it('is the only one: no sheet makes a layer of its own or brings in another sheet', () => {
    expect(sheets.filter((name) => /@layer|@import/.test(text(name)))).toEqual([])
  })

  it('does not let two sheets name one animation', () => {
    const names = sheets.flatMap((sheet) => [...text(sheet).matchAll(/@keyframes ([-\w]+)/g)].map(([, name]) => name))
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })
})
