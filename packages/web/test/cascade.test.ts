import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { layersOf } from '../cascade.ts'

const folder = new URL('../src/styles/', import.meta.url)
const sheets = readdirSync(folder).filter((name) => name !== 'order.css')
const text = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const layers = layersOf(text('order.css'))

describe('the order of the style sheets', () => {
  it('names each sheet once, and nothing else', () => {
    const names = sheets.map((name) => basename(name, '.css'))
    expect(layers.toSorted()).toEqual(names.toSorted())
  })

  it('comes before every sheet', () => {
    const source = (name: string) => readFileSync(new URL(`../src/${name}`, import.meta.url), 'utf8')
    for (const main of ['main.tsx', 'founder/main.tsx']) {
      const [base, component] = [source(main).search(/core\/baseStyles\.ts'/), source(main).search(/\.tsx'/)]
      expect([base > 0, base < component], `${main}: before any component brings its own`).toEqual([true, true])
    }
    const imported = [...source('core/baseStyles.ts').matchAll(/'\.\.\/styles\/(.+)\.css'/g)].map(([, name]) => name)
    expect(imported[0]).toBe('order')
    expect(imported.slice(1), 'the foundation, as the layers have it').toEqual(
      layers.filter((name) => imported.includes(name)),
    )
  })

  // An important declaration turns the order of the layers round: only what wins over everything may say so.
  it('is not turned round: only the print notice has declarations that are important', () => {
    expect(sheets.filter((name) => text(name).includes('!important'))).toEqual(['printNotice.css'])
  })

  it('is the only one: no sheet makes a layer of its own or brings in another sheet', () => {
    expect(sheets.filter((name) => /@layer|@import/.test(text(name)))).toEqual([])
  })

  it('does not let two sheets name one animation', () => {
    const names = sheets.flatMap((sheet) => [...text(sheet).matchAll(/@keyframes ([-\w]+)/g)].map(([, name]) => name))
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })
})
